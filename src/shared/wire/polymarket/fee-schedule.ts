import { FEE_EXPONENT_MAX, FEE_RATE_MAX, FEE_UNKNOWN, type FeeSchedule } from '#domain/market';

const DECIMAL = /^\d{1,15}(\.\d{1,20})?$/;

/**
 * Returns the fee curve that the venue gave, its numbers as such or as text, or FEE_UNKNOWN where
 * they lie outside the published form (rate from 0 to 1, exponent from 0 to 4): a curve that we
 * misread must never look cheap. A rate of 0 is 0 by any curve, so that it needs no exponent.
 */
export function toFeeSchedule(rate: unknown, exponent: unknown, category: string): FeeSchedule {
  const [rateGiven, exponentGiven] = [toFeeNumber(rate), toFeeNumber(exponent)];
  if (rateGiven === null || rateGiven > FEE_RATE_MAX) return FEE_UNKNOWN;
  if (rateGiven === 0) return { rate: 0, exponent: 1, category, known: true };
  if (exponentGiven === null || exponentGiven > FEE_EXPONENT_MAX) return FEE_UNKNOWN;
  return { rate: rateGiven, exponent: exponentGiven, category, known: true };
}

/** Returns a number of zero or more, which the venue may write as text; null if it is none. */
export function toFeeNumber(given: unknown): number | null {
  const value = typeof given === 'string' && DECIMAL.test(given.trim()) ? Number(given) : given;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
