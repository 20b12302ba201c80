import { type Command, InvalidArgumentError } from 'commander';
import { hasRatings, openRatingsOf, ratingsPath } from '#compose/ratings';
import type { RatingsStore } from '#ports/ratings-store';
import { UsageError } from '../exit.js';
import { requireStoreUrl, type StoreUrlOption, withStoreUrl } from '../store-url.js';
import { type TapeOptions, withTapeOptions } from '../tape/run.js';

/** What those take that work on ratings. */
export interface RatingsOptions extends TapeOptions, StoreUrlOption {}

/** Adds those of commands that work on ratings. */
export function withRatingsOptions(command: Command): Command {
  return withStoreUrl(withTapeOptions(command, 'tape and ratings'));
}

/**
 * Opens the ratings, runs the work on them and closes them whatever happens: those of STORE_URL, if
 * there is one, as the service does. `makes`: also if there are none in the data directory yet.
 */
export async function withRatings<T>(
  options: RatingsOptions,
  makes: boolean,
  work: (store: RatingsStore) => Promise<T>,
): Promise<T> {
  const { dataDir, storeUrl: given = '' } = options;
  const storeUrl = given === '' ? null : requireStoreUrl(options);
  if (storeUrl === null && !makes && !hasRatings(dataDir)) {
    throw new UsageError(`there are no ratings at ${ratingsPath(dataDir)}; preflightctl ratings run makes them`);
  }
  const { store } = await openRatingsOf({ dataDir, storeUrl });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Reads an option's day, as its first second in UTC. */
export function day(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day that does not exist (02-30) is refused or moved on by the parser, depending on the day.
  if (Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text)) return ms / 1_000;
  throw new InvalidArgumentError('Give a day such as 2026-05-01.');
}
