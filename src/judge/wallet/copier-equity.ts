import type { RatingBasis } from '#api/wallets/wallet-evidence';
import { splitPools } from '#domain/rating/pools';
import { type RatingWindows, ratingWindows } from '#domain/rating/rating-windows';
import { toEnd } from '#domain/steps';
import { fromRatingBasis } from './rating-basis.js';

/** What a copier had once an entry was settled. */
export interface EquityStep {
  readonly settledAtS: number;
  /** After fees, of this entry alone and of all so far. */
  readonly profitUsd: number;
  readonly totalUsd: number;
}

/** What a copier made, entry by entry. */
export interface CopierEquity {
  readonly windows: RatingWindows;
  /** What the copier puts on each entry. */
  readonly stakeUsd: number;
  readonly steps: readonly EquityStep[];
}

/**
 * Returns what a copier made, after fees, with one stake on each scored entry that passes the
 * leaderboard's filter, in the order in which they were settled; null if the entries were left out
 * of the basis. Of a basis that a stranger wrote, check the form first.
 */
export function copierEquity(basis: RatingBasis): CopierEquity | null {
  const read = toEnd(fromRatingBasis(basis));
  if (read === null) return null;
  const { found, frame, config } = read;
  const windows = ratingWindows(frame.asOfS, config);
  const { stakeUsd } = config;
  // Nano-dollars of one staked dollar: all of the entries together are far from the last whole double.
  const usdOf = (nano: bigint) => (Number(nano) * stakeUsd) / 1e9;
  let totalNano = 0n;
  const steps = splitPools(found.entries, windows, config)
    .window.flatMap(({ settled, result }) =>
      settled === null || result === null ? [] : [{ atS: settled.atS, feeNano: result.feeNano }],
    )
    .toSorted((a, b) => a.atS - b.atS)
    .map(({ atS, feeNano }): EquityStep => {
      totalNano += feeNano;
      return { settledAtS: atS, profitUsd: usdOf(feeNano), totalUsd: usdOf(totalNano) };
    });
  return { windows, stakeUsd, steps };
}
