import { type Command, InvalidArgumentError, Option } from 'commander';
import { hasRatings, openRatings, type RatingsHome, ratingsPath } from '#compose/ratings';
import { UsageError } from '../exit.js';

/** What every ratings command takes. */
export interface RatingsOptions {
  readonly dataDir: string;
  readonly json?: true;
}

/** Adds the options that every ratings command takes. */
export function withRatingsOptions(command: Command): Command {
  return command
    .addOption(new Option('--data-dir <dir>', 'directory of the ratings').env('DATA_DIR').default('./data'))
    .option('--json', 'print one JSON object');
}

/**
 * Opens the ratings, runs the work on them and closes them whatever happens. `makes`: also if there
 * are none yet.
 */
export async function withRatings<T>(
  dataDir: string,
  makes: boolean,
  work: (home: RatingsHome) => Promise<T>,
): Promise<T> {
  if (!makes && !hasRatings(dataDir)) {
    throw new UsageError(`there are no ratings at ${ratingsPath(dataDir)}; preflight ratings run makes them`);
  }
  const home = openRatings(dataDir);
  try {
    return await work(home);
  } finally {
    await home.store.close();
  }
}

/** Reads an option's day, as its first second in UTC. */
export function day(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day that does not exist (02-30) is refused or moved on by the parser, depending on the day.
  if (Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text)) return ms / 1_000;
  throw new InvalidArgumentError('Give a day such as 2026-05-01.');
}

/** Returns a moment's day in UTC. */
export function dayOf(timeS: number): string {
  return new Date(timeS * 1_000).toISOString().slice(0, 10);
}
