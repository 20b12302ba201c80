import { rateSums } from '#domain/rating/rate-sums';
import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { EdgePrior } from '#domain/rating/strength/edge-prior';
import { strengthOf } from '#domain/rating/strength/strength';
import { capUnseen, isAllSeen, type SecondsSpan, type Unseen } from '#domain/rating/unseen';
import { sumWalletEntries, type WalletEntries } from '#domain/rating/wallet-entries';

/** How much of a wallet's window was seen, and in whose list of trades. Times in seconds. */
export interface Seen {
  /** The list of all wallets' trades, or the venue's list of this wallet's. */
  readonly source: 'tape' | 'venue';
  /** Trades before it were not seen; null: all were. */
  readonly fromS: number | null;
  readonly gap: SecondsSpan | null;
  /** Markets of its entries that the venue does not describe. */
  readonly markets: number;
}

/** What a rating is made of beside the entries. */
export interface RatingFrame {
  readonly asOfS: number;
  readonly seen: Seen;
  /** How the edges of all wallets are spread; null: it is not known. */
  readonly edgePrior: EdgePrior | null;
}

/** A rating and what belongs to it, as far as it follows from the entries. */
export type RatedEntries = Pick<StoredRating, 'rating' | 'unseen' | 'strength'>;

/** Returns the rating of a wallet's entries, capped by what was not seen of it; step by step. */
export function* rateEntries(
  found: WalletEntries,
  frame: RatingFrame,
  config: RatingConfig,
): Generator<void, RatedEntries, void> {
  const { asOfS, seen, edgePrior } = frame;
  const sums = yield* sumWalletEntries(found, asOfS, config);
  const unseen: Unseen = { beforeS: seen.fromS, gap: seen.gap, markets: seen.markets };
  const rating = capUnseen(rateSums(sums, asOfS, config), unseen, ratingWindows(asOfS, config).fromS);
  const strength = strengthOf(rating, sums, edgePrior, config);
  // Since when the tape sees anything is said of the board, not of each of its wallets.
  const stated = seen.source === 'tape' ? { ...unseen, beforeS: null } : unseen;
  return { rating, ...(isAllSeen(stated) ? {} : { unseen: stated }), ...(strength === null ? {} : { strength }) };
}
