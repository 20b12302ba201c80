import type { Level } from '#domain/book/book';

/** The asks of a token from a moment on, the best first, and the step of its prices. */
export interface TrueBook {
  /** Wall time of this machine, in ms with fractions. */
  readonly fromMs: number;
  readonly asks: readonly Level[];
  readonly stepTicks: number;
}

/** What an order gets that takes levels, in plain numbers. */
export interface TrueFill {
  /** The worst price that it pays. */
  readonly limit: number;
  readonly average: number;
  readonly shares: number;
  /** Of each level at its own price, and cut to five decimals. */
  readonly feeUsd: number;
  /** Whether the book fills it. */
  readonly isWhole: boolean;
}

/** How the venue charges: rate x (p (1 - p)) ^ exponent a share. */
export interface FeeCurve {
  readonly rate: number;
  readonly exponent: number;
}

/** Wall time of this machine, alike in all of its processes. */
export const wallMs = () => performance.timeOrigin + performance.now();

/**
 * Walks the asks for so many USD or shares. It shares no line with what the service reckons by, so
 * that either can be wrong by itself.
 */
export function fillOf(asks: readonly Level[], wanted: { usd: number } | { shares: number }, fee: FeeCurve): TrueFill {
  let left = 'usd' in wanted ? wanted.usd : wanted.shares;
  let [usd, shares, feeUsd, limit] = [0, 0, 0, 0];
  for (const { priceTicks, sizeMicros } of asks) {
    if (left <= 0) break;
    const [price, size] = [priceTicks / 1e4, sizeMicros / 1e6];
    const unit = 'usd' in wanted ? price : 1;
    const taken = Math.min(size, left / unit);
    left -= taken === size ? size * unit : left;
    usd += taken * price;
    shares += taken;
    feeUsd += cut(taken * fee.rate * (price * (1 - price)) ** fee.exponent);
    limit = price;
  }
  return { limit, average: usd / shares, shares, feeUsd, isWhole: left <= 0 };
}

/** As the venue cuts the fee of a fill; a product of fractions may lie just below what it means. */
const cut = (feeUsd: number) => Math.floor(feeUsd * 1e5 + 1e-6) / 1e5;
