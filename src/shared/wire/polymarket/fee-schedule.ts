import { FEE_EXPONENT_MAX, FEE_RATE_MAX, FEE_UNKNOWN, type FeeSchedule } from '#domain/market';

/**
 * Returns the fee curve that the venue gave, or FEE_UNKNOWN where its numbers lie outside the
 * published form (rate from 0 to 1, whole exponent from 0 to 4): a curve that we misread must never
 * look cheap.
 */
export function toFeeSchedule(rate: unknown, exponent: unknown, category: string): FeeSchedule {
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= FEE_RATE_MAX)) return FEE_UNKNOWN;
  if (typeof exponent !== 'number' || !Number.isInteger(exponent)) return FEE_UNKNOWN;
  if (exponent < 0 || exponent > FEE_EXPONENT_MAX) return FEE_UNKNOWN;
  return { rate, exponent, category, known: true };
}
