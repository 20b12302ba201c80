/*
 * How much worse an order filled, in bins: not worse, then tenths of a cent up to ten cents, then
 * whole cents up to 100. Amounts are in micro-USD per share, as prices are held.
 */

const MICROS_PER_TENTH = 1_000;
const MICROS_PER_CENT = 10_000;
const TENTHS = 100;
const TENTHS_END_CENTS = 10;

/** What stands for an order that could not be filled whole any more: a whole share. */
export const UNFILLED_MICROS = 1_000_000;
/** Most bins that there can be. */
export const BINS_MAX = 1 + TENTHS + (100 - TENTHS_END_CENTS);

/** Returns the bin of an amount; whatever is above 100 cents is in the last. */
export function binOf(worseMicros: number): number {
  if (worseMicros <= 0) return 0;
  const tenths = Math.ceil(worseMicros / MICROS_PER_TENTH);
  if (tenths <= TENTHS) return tenths;
  return Math.min(BINS_MAX - 1, TENTHS + Math.ceil(worseMicros / MICROS_PER_CENT) - TENTHS_END_CENTS);
}

/** Returns the upper end of a bin, in cents. */
export function upperCentsOf(bin: number): number {
  return bin <= TENTHS ? bin / 10 : bin - TENTHS + TENTHS_END_CENTS;
}

/**
 * Returns the upper end of the bin that a quantile lies in, in cents; null: nothing was counted.
 * `quantile` is from 0 to 1.
 */
export function quantileCents(bins: ReadonlyMap<number, number>, quantile: number): number | null {
  const total = [...bins.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [bin, count] of [...bins].toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= quantile * total) return upperCentsOf(bin);
  }
  return upperCentsOf(BINS_MAX - 1);
}
