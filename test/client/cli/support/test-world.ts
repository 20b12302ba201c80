import { runCli } from '#client/cli/run-cli';
import type { CliWorld } from '#client/cli/world/world';
import { clientSystem } from '#client/system';
import type { Run } from '#test/support/run-program';

export interface TestWorldOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly isTerminal?: boolean;
  /** Standard input. */
  readonly input?: string;
  readonly system?: CliWorld['system'];
  readonly signal?: AbortSignal;
}

/** Runs a command in this process, as a process of its own would, and returns what it printed. */
export async function runInProcess(args: readonly string[], options: TestWorldOptions = {}): Promise<Run> {
  const printed = { stdout: '', stderr: '' };
  const screen = (name: keyof typeof printed) => ({
    isTerminal: options.isTerminal === true,
    size: () => ({ columns: 80, rows: 24 }),
    write: (text: string) => {
      printed[name] += text;
    },
    flushed: async () => {},
  });
  const world: CliWorld = {
    out: screen('stdout'),
    err: screen('stderr'),
    env: options.env ?? {},
    system: options.system ?? clientSystem,
    signal: options.signal ?? new AbortController().signal,
    readInput: async () => options.input ?? '',
    readSecret: async () => options.input ?? '',
  };
  const exitCode = await runCli(args, world);
  return { exitCode, ...printed };
}
