import { type ExecFileOptions, execFile } from 'node:child_process';

/** What came of a program. */
export interface Run {
  /** -1: it was killed. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const OUTPUT_BYTES_MAX = 1 << 26;

/** Runs a program to its end, whatever that is. `input`: its whole standard input. */
export function runProgram(
  file: string,
  args: readonly string[],
  { input, ...options }: ExecFileOptions & { readonly input?: string } = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const all = { maxBuffer: OUTPUT_BYTES_MAX, ...options, encoding: 'utf8' } as const;
    const child = execFile(file, args, all, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}
