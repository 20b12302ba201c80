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
 * so at the same time. Operators wait for a slow disk as long as it takes.
 */
export function openCredits(dataDir: string): CreditsHome {
  const store = openLmdbStore({ path: creditsPath(dataDir) });
  const clock = systemClock;
  return { store, clock, credits: createCredits({ store, clock, random: systemRandom }) };
}

/** Returns the same credits for callers, who are answered in time when the disk is not. */
export function withinTime({ store, clock }: CreditsHome): CreditsHome {
  const bounded = boundedStore(store, systemTimers);
  return { store: bounded, clock, credits: createCredits({ store: bounded, clock, random: systemRandom }) };
}
