import { USD_MAX } from '#domain/order/thresholds';

/**
 * Places of the slider: a hundred to each power of ten, so that each is 2.3 % more than the one
 * before.
 */
const POSITIONS_PER_TEN = 100;
export const SIZE_POSITIONS = Math.round(Math.log10(USD_MAX)) * POSITIONS_PER_TEN;
const SHOWN_DIGITS = 3;

/**
 * Returns the size in USD at a place of the slider: 1 at its start, the largest that can be asked
 * at its end.
 */
export function usdAt(position: number): number {
  const within = Math.min(Math.max(Math.round(position), 0), SIZE_POSITIONS);
  return Number((10 ** (within / POSITIONS_PER_TEN)).toPrecision(SHOWN_DIGITS));
}

/** Returns the place nearest to a size in USD. */
export function positionOf(usd: number): number {
  if (!(usd > 1)) return 0;
  return Math.min(Math.round(Math.log10(usd) * POSITIONS_PER_TEN), SIZE_POSITIONS);
}
