import { lmdbPath, openLmdbStore } from '#adapters/lmdb-store';
import { systemClock } from '#adapters/system-clock';
import { systemRandom } from '#adapters/system-random';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits';

export { lmdbPath } from '#adapters/lmdb-store';
export { Problem } from '#domain/errors';
export { parseWallet, type WalletAddress } from '#domain/ids';
export { type Promo, parsePromoCode, promoState } from '#domain/promo';
export type { Clock } from '#ports/clock';
export type { Credits } from '#services/credits';

/** The credits of a data directory: the store, and the service over it. Close the store when done. */
export interface CreditsHome {
  readonly store: Store;
  readonly credits: Credits;
  readonly clock: Clock;
}

/** Opens (or makes) the credits of a data directory. The service and the operator's commands may do so at the same time. */
export function openCredits(dataDir: string): CreditsHome {
  const store = openLmdbStore({ path: lmdbPath(dataDir) });
  const clock = systemClock;
  return { store, clock, credits: createCredits({ store, clock, random: systemRandom }) };
}
