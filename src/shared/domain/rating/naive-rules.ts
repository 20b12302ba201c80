import type { PoolSums, RatingSums } from './rating-sums.js';

/**
 * A rule that asks for profits and for nothing else, as most boards do (docs/ratings.md, "Error
 * rates").
 */
export interface NaiveRule {
  readonly name: string;
  /** Filtered entries that each month has to have; null: the month is not looked at. */
  readonly inSampleMin: number;
  readonly outOfSampleMin: number | null;
}

export const NAIVE_RULES: readonly NaiveRule[] = [
  { name: 'IS > 0 (10)', inSampleMin: 10, outOfSampleMin: null },
  { name: 'IS > 0 (10), OOS > 0 (5)', inSampleMin: 10, outOfSampleMin: 5 },
  { name: 'IS > 0 (20), OOS > 0 (15)', inSampleMin: 20, outOfSampleMin: 15 },
];

/** Whether the rule would copy the wallet. */
export function copiesNaively({ inSampleMin, outOfSampleMin }: NaiveRule, sums: RatingSums): boolean {
  if (!isPositive(sums.inSample, inSampleMin)) return false;
  return outOfSampleMin === null || isPositive(sums.outOfSample, outOfSampleMin);
}

function isPositive({ entries, returnFeeNano }: PoolSums, entriesMin: number): boolean {
  return entries >= entriesMin && returnFeeNano > 0n;
}
