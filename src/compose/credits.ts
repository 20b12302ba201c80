import { existsSync } from 'node:fs';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import { boundedStore } from '#services/bounded-store';
import { type Credits, createCredits } from '#services/credits/credits';

/** Returns where the credits and payments of a data directory are. */
export function creditsPath(dataDir: string): string {
  return lmdbPath(dataDir);
}

export function hasCredits(dataDir: string): boolean {
  return existsSync(creditsPath(dataDir));
}

/**
 * The credits of a data directory: the store, and the service over it. Close the store when done.
 */
export interface CreditsHome {
  readonly store: Store;
  readonly credits: Credits;
  readonly clock: Clock;
}

/**
 * Opens (or makes) the credits of a data directory. The service and the operator's commands may do
 * so at the same time.
 */
export function openCredits(dataDir: string): CreditsHome {
  const store = boundedStore(openLmdbStore({ path: creditsPath(dataDir) }), systemTimers);
  const clock = systemClock;
  return { store, clock, credits: createCredits({ store, clock, random: systemRandom }) };
}
