import { type Command, Option } from 'commander';
import { makeFolder } from '#compose/places';
import { hasTape, openTapeModule, type TapeModule, tapePath } from '#compose/tape';
import { OutsideError } from '#domain/errors';
import { UsageError } from '../exit.js';
import { moment } from '../moment.js';

/** What every tape command takes. */
export interface TapeOptions {
  readonly dataDir: string;
  readonly json?: true;
}

/**
 * What a command reports: one JSON object for scripts, short lines for people. `ok` is false if it
 * found faults.
 */
export interface TapeReport {
  readonly ok?: boolean;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface TapeRun {
  /** Whether a tape may be made where there is none. */
  readonly makes: boolean;
  /** What to do after a failure of the outside. */
  readonly advice: string;
}

/** Adds the options that every command takes that works on the tape. */
export function withTapeOptions(command: Command, of = 'the tape'): Command {
  return command
    .addOption(new Option('--data-dir <dir>', `directory of ${of}`).env('DATA_DIR').default('./data'))
    .option('--json', 'print one JSON object');
}

/**
 * Opens the tape, runs the command on it and prints what it reports; the tape is closed whatever
 * happens.
 */
export async function runTape(
  { dataDir, json }: TapeOptions,
  { makes, advice }: TapeRun,
  work: (module: TapeModule) => Promise<TapeReport>,
): Promise<void> {
  if (!hasTape(dataDir)) {
    const path = tapePath(dataDir);
    if (!makes) throw new UsageError(`there is no tape at ${path}; preflightctl tape backfill or import makes one`);
    process.stderr.write(`note: creating a new tape at ${path}\n`);
    makeFolder(path);
  }
  const module = await openTapeModule(dataDir);
  try {
    const report = await work(module);
    const ok = report.ok ?? true;
    process.stdout.write(json ? `${JSON.stringify({ ok, ...report.json })}\n` : `${report.text}\n`);
    if (!ok) process.exitCode = 1;
  } catch (error) {
    throw error instanceof OutsideError ? new Error(`${error.message}; ${advice}`, { cause: error }) : error;
  } finally {
    await module.tape.close();
  }
}

/** Reads an option's moment, in seconds. */
export function momentS(text: string): number {
  return Math.floor(moment(text) / 1_000);
}

/** Returns a moment of the tape as ISO 8601 in UTC without fractions, or null. */
export function isoSecond(timeS: number | null): string | null {
  return timeS === null ? null : new Date(timeS * 1_000).toISOString().replace('.000Z', 'Z');
}
