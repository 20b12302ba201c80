import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits/credits';

export { lmdbPath } from '#adapters/lmdb/money/store';
export { type Promo, parsePromoCode, promoState } from '#domain/credits/promo';
export { Problem } from '#domain/errors';
export { parseWallet, type WalletAddress } from '#domain/ids';
export type { Clock } from '#ports/clock';
export type { Credits } from '#services/credits/credits';

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
