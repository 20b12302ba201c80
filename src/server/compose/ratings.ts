import { existsSync } from 'node:fs';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { SecondsSpan } from '#domain/rating/unseen';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { SharedLimits } from '#ports/shared-limits';
import type { Tape } from '#ports/tape';
import type { WalletClaims } from '#ports/wallet-claims';
import { JobOwner } from '#services/jobs/job-owner';
import type { BacktestDeps } from '#services/ratings/backtest/backtest';
import { RatingJob } from '#services/ratings/job';
import { recordedGaps } from '#services/tape/recorded-gaps';
import type { Clock } from '#system/clock';
import type { StoreLocation } from './credits.js';

/** Returns where the ratings of a data directory are. */
export function ratingsPath(dataDir: string): string {
  return lmdbRatingsPath(dataDir);
}

/** Whether wallets have been rated in this data directory. */
export function hasRatings(dataDir: string): boolean {
  return existsSync(ratingsPath(dataDir));
}

/** The ratings of a data directory. Close the store when done. */
export interface RatingsModule {
  readonly store: RatingsStore;
  readonly clock: Clock;
}

/**
 * Opens (or makes) the ratings of a data directory. The service and the operator's commands may do
 * so at the same time.
 */
export function openRatings(dataDir: string): RatingsModule {
  return { store: openLmdbRatings({ path: ratingsPath(dataDir) }), clock: systemClock };
}

/**
 * The ratings of a service, and how it shares the queue of wallets and limits with other processes,
 * if it does.
 */
export interface ServedRatings {
  readonly store: RatingsStore;
  readonly claims: WalletClaims | null;
  readonly limits: SharedLimits | null;
}

/**
 * Opens the ratings of a service: in the database that its replicas share, or else in the data
 * directory.
 */
export async function openRatingsOf({ dataDir, storeUrl }: Omit<StoreLocation, 'keysDir'>): Promise<ServedRatings> {
  if (storeUrl === null) return { store: openRatings(dataDir).store, claims: null, limits: null };
  // What it stands on is loaded where there is a database alone.
  const { openPgRatings } = await import('#adapters/postgres/ratings/ratings-store');
  const store = openPgRatings({ url: storeUrl, stopwatch: systemClock });
  return { store, claims: store.claims, limits: store.limits };
}

/** What a run of the whole tape works on. */
export interface RatingJobParts {
  readonly store: RatingsStore;
  readonly tape: Tape;
  readonly refreshMarkets: () => Promise<void>;
  readonly log: Log;
}

/** Returns the job that rates a tape and puts the board in force. */
export function createRatingJob(parts: RatingJobParts): RatingJob {
  const { store, log } = parts;
  const owner = { leases: store.jobs, stopwatch: systemClock, timers: systemTimers, random: systemRandom, log };
  return new RatingJob({
    ...parts,
    jobs: new JobOwner(owner),
    gapsOf: gapsOf(parts.tape),
    clock: systemClock,
    random: systemRandom,
    config: RATING_CONFIG,
  });
}

/** Returns what a backtest of a tape needs: the rules and the gaps of a nightly run. */
export function backtestDeps(tape: Tape): BacktestDeps {
  return { tape, gapsOf: gapsOf(tape), clock: systemClock, config: RATING_CONFIG };
}

function gapsOf(tape: Tape) {
  return (span: SecondsSpan) => recordedGaps(tape, span, Math.floor(systemClock.nowMs() / 1e3));
}
