import { USD_MAX } from '#domain/order/thresholds';

/**
 * Places of the slider: a hundred to each power of ten, so that each is 2.3 % more than the one
 * before.
 */
const POSITIONS_PER_TEN = 100;
export const SIZE_POSITIONS = Math.round(Math.log10(USD_MAX)) * POSITIONS_PER_TEN;
/** A slider without room to move helps nobody: it ends at 10 USD at least. */
const LEAST_END = POSITIONS_PER_TEN;
const SHOWN_DIGITS = 3;

/** Returns the size in USD at a place of the slider, which starts at 1. */
export function usdAt(position: number): number {
  const within = Math.min(Math.max(Math.round(position), 0), SIZE_POSITIONS);
  return Number((10 ** (within / POSITIONS_PER_TEN)).toPrecision(SHOWN_DIGITS));
}

/** Returns the place nearest to a size in USD. */
export function positionOf(usd: number): number {
  if (!(usd > 1)) return 0;
  return Math.min(Math.round(Math.log10(usd) * POSITIONS_PER_TEN), SIZE_POSITIONS);
}

/**
 * Returns the last place of the slider: the first at which the book, `depthUsd` deep, is used up.
 * null: there is no book, and it ends at the largest size that can be asked.
 */
export function lastPosition(depthUsd: number | null): number {
  if (depthUsd === null) return SIZE_POSITIONS;
  let last = Math.max(positionOf(depthUsd), LEAST_END);
  while (usdAt(last) < depthUsd && last < SIZE_POSITIONS) last++;
  return last;
}

/** Returns the powers of ten below a place, each with how far along the slider it is, 0 to 1. */
export function powersTo(last: number): readonly { readonly usd: number; readonly part: number }[] {
  const count = Math.floor((last - 1) / POSITIONS_PER_TEN) + 1;
  return Array.from({ length: count }, (_, power) => ({ usd: 10 ** power, part: (power * POSITIONS_PER_TEN) / last }));
}
