import { parsePriceTicks } from '../decimal.js';

/** The price steps that a book of the venue may have, as the venue writes them. */
export const TICK_SIZES = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;

/** The same in 1e-4 USD, the coarsest first. */
export const TICK_SIZES_TICKS: readonly number[] = TICK_SIZES.map((text) => parsePriceTicks(text)!);

const KNOWN: ReadonlySet<number | null> = new Set(TICK_SIZES_TICKS);

/** Returns a price step in 1e-4 USD; null if it is none that the venue is known to have. */
export function tickSizeTicks(text: string | null): number | null {
  const ticks = text === null ? null : parsePriceTicks(text);
  return KNOWN.has(ticks) ? ticks : null;
}
