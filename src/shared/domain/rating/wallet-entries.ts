import type { TapeWallet } from '../ids.js';
import { countMarkets } from './both-sides.js';
import { sumEntries } from './entry-sums.js';
import { sumPools } from './pools.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import { ratingWindows } from './rating-windows.js';
import type { ScoredEntry } from './score-entry.js';

/** All that the rating of a wallet at one moment is made of. */
export interface WalletEntries
  extends Pick<
    RatingSums,
    'upDownExcluded' | 'undescribedMarkets' | 'firstTradeS' | 'lastTradeS' | 'activeDays' | 'tradeDays'
  > {
  readonly wallet: TapeWallet;
  /** First entries of the window, in scope. */
  readonly entries: readonly ScoredEntry[];
  /** Conditions of the markets in which the wallet ever bought two outcomes. */
  readonly bothSided: ReadonlySet<string>;
}

/**
 * Returns the sums that the rating at `asOfS` is made of (docs/ratings.md, "Two engines"), in steps
 * of a millisecond or two for thousands of entries.
 */
export function* sumWalletEntries(
  { entries, bothSided, ...counts }: WalletEntries,
  asOfS: number,
  config: RatingConfig,
): Generator<void, RatingSums, void> {
  const sums = yield* sumEntries(entries, config);
  yield;
  const markets = countMarkets(entries, bothSided);
  yield;
  const pools = yield* sumPools(entries, ratingWindows(asOfS, config), config);
  return { ...sums, ...markets, ...pools, ...counts };
}
