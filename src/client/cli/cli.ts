import type { Command } from 'commander';
import { type Frame, frameOf } from './draw/frame.js';
import { EXIT } from './exit-codes.js';
import type { CliWorld, Screen } from './world/world.js';

/** What a JSON text may hold as it is, and a terminal may not be shown. */
const HARMFUL_IN_JSON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One run of the command line: what its commands write to, and how it ends. */
export class Cli {
  readonly world: CliWorld;
  /** How the command ended. */
  exitCode: number = EXIT.ok;
  /** Whether nothing but errors is printed: the exit code is the answer. */
  isQuiet = false;

  constructor(world: CliWorld) {
    this.world = world;
  }

  /** What is drawn on standard output. */
  get frame(): Frame {
    return frameOf(this.world.out, this.world.env);
  }

  print(lines: readonly string[]): void {
    if (!this.isQuiet) this.world.out.write(`${lines.join('\n')}\n`);
  }

  /**
   * Prints an answer and nothing else: its own bytes, but for a terminal with everything escaped
   * that could act on it.
   */
  printJson(text: string): void {
    this.world.out.write(`${forScreen(text, this.world.out)}\n`);
  }

  /** Tells a person something beside the answer. */
  note(text: string): void {
    if (!this.isQuiet) this.world.err.write(`preflight: ${text}\n`);
  }

  /** Makes a command do its work, which resolves with the exit code. */
  run<Args extends readonly unknown[]>(command: Command, work: (...args: Args) => Promise<number>): void {
    command.action(async (...args: unknown[]) => {
      this.isQuiet = command.opts<{ readonly quiet?: true }>().quiet === true;
      this.exitCode = await work(...(args as unknown as Args));
    });
  }
}

function forScreen(json: string, { isTerminal }: Screen): string {
  if (!isTerminal) return json;
  const escaped = (char: string) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
  // Between its tokens JSON has spaces and ends of lines.
  return json.replace(HARMFUL_IN_JSON, (char) => (/[\t\n\r]/.test(char) ? char : escaped(char)));
}
