import type { Payer } from '#test/local/support/chain-harness';
import type { PaidService } from '#test/support/paid-service';
import { runProgram } from '#test/support/run-program';

/** What a row works with: the service, the programs, and a wallet of its own. */
export interface RowWorld {
  readonly service: PaidService;
  /** Where the packages of npm are installed. */
  readonly dir: string;
  readonly payer: Payer;
}

/** A program of somebody else, and what is tried with it. */
export interface Row {
  readonly client: string;
  /** Its package, by the name that it has in the folder; else it is a program of the system. */
  readonly npm?: string;
  /** A program of the system, with the arguments that make it tell its version. */
  readonly program?: readonly [file: string, ...args: string[]];
  readonly tries: string;
  /** What the wallet pays by then, in micro-USDC; absent: nothing. */
  readonly paysMicros?: bigint;
  /** Resolves with what is to be said of it. Rejects if it does not work. */
  run(world: RowWorld): Promise<string>;
}

const RUN_MS_MAX = 120_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;
/** What is shown of what a program said when it failed. */
const SAID_CHARS_MAX = 300;

/** Runs a program that has to end well, and returns what it printed. */
export async function runWell(
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', ...options.env };
  const { exitCode, stdout, stderr } = await runProgram(file, args, { timeout: RUN_MS_MAX, ...options, env });
  if (exitCode === 0) return stdout;
  throw new Error(saidBy(stderr) || saidBy(stdout) || `ended with ${exitCode}`);
}

/** The line of an error, among all that Node prints around it. */
function saidBy(output: string): string {
  const lines = output.replace(COLOURS, '').split('\n');
  const error = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => line.trim() !== '') ?? '';
  return error.slice(0, SAID_CHARS_MAX);
}

/** Runs one of the programs that drive clients, and returns what it printed, which is JSON. */
export async function drive<Result>(dir: string, script: string, given: object, env = {}): Promise<Result> {
  const printed = await runWell(process.execPath, [script, JSON.stringify(given)], { cwd: dir, env });
  return JSON.parse(printed.trim().split('\n').at(-1)!);
}

/** Throws what is not as it has to be. */
export function hold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
