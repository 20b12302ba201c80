/** Some scored entries of one event. */
export interface EventReturns {
  readonly scored: number;
  /** Sum of what a staked dollar returned each, in nano-dollars. */
  readonly returnFeeNano: number;
}

/** A mean return per staked dollar with its interval; fractions of a dollar. */
export interface ClusteredMean {
  readonly entries: number;
  readonly events: number;
  /** null if there are no entries. */
  readonly roi: number | null;
  /** null if there are fewer than two events: one shows no spread. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns the mean return over entries of several events, each entry with one dollar. Entries of
 * one event, of whatever wallets and tokens, are one draw: the interval comes from how the events
 * differ, and assumes nothing about what happens inside of one.
 */
export function clusteredMean(events: readonly EventReturns[], intervalZ: number): ClusteredMean {
  const clusters = events.filter(({ scored }) => scored > 0);
  const entries = clusters.reduce((sum, { scored }) => sum + scored, 0);
  if (entries === 0) return { entries, events: 0, roi: null, low: null, high: null };
  const roi = clusters.reduce((sum, { returnFeeNano }) => sum + returnFeeNano / 1e9, 0) / entries;
  const count = clusters.length;
  if (count < 2) return { entries, events: count, roi, low: null, high: null };
  const squares = clusters.reduce(
    (sum, { scored, returnFeeNano }) => sum + (returnFeeNano / 1e9 - scored * roi) ** 2,
    0,
  );
  const reach = (intervalZ * Math.sqrt((squares * count) / (count - 1))) / entries;
  return { entries, events: count, roi, low: roi - reach, high: roi + reach };
}
