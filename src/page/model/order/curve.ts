import type { Verdict } from '#api/order-numbers';
import { USD_MAX } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import type { Scene } from './judge.js';
import type { OrderInput } from './order-input.js';

/** How the verdict on an order would be at another size. */
export interface CurvePoint {
  readonly usd: number;
  readonly slippageCents: number;
  readonly verdict: Verdict;
}

/** Neighboring points of one verdict. */
export interface Band {
  readonly verdict: Verdict;
  readonly fromUsd: number;
  readonly toUsd: number;
}

export const CURVE_POINTS = 120;
/** Beyond the visible depth nothing changes any more: so much of it is shown. */
const DEPTHS_SHOWN = 1.5;
const LEAST_END_USD = 100;
/** Left of the least size that the venue takes of a BUY there is room to show it. */
const FROM_USD = 0.5;

/**
 * Returns the same order, judged at one moment of wall time, at sizes from below the
 * venue's minimum to beyond the depth of the book, evenly on a logarithmic scale.
 */
export function curveOf(
  { side, thresholds }: Omit<OrderInput, 'usd'>,
  scene: Scene,
  evaluatedAtMs: number,
): readonly CurvePoint[] {
  const { market, sides: book, bookAgeMs } = scene;
  const depthUsd = (side === 'BUY' ? book.asks : book.bids).depthCents / 100;
  return sizesTo(depthUsd * DEPTHS_SHOWN).map((usd) => {
    const { verdict, facts } = assess({ side, usd, thresholds, market, book, bookAgeMs, evaluatedAtMs });
    return { usd: facts.usd, slippageCents: facts.numbers.expectedSlippageCents, verdict };
  });
}

/** Whole cents, since that is how people write sizes. */
function sizesTo(wantedUsd: number): readonly number[] {
  const start = Math.log10(FROM_USD);
  const end = Math.log10(Math.min(Math.max(wantedUsd, LEAST_END_USD), USD_MAX));
  return Array.from({ length: CURVE_POINTS }, (_, index) => {
    const usd = 10 ** (start + ((end - start) * index) / (CURVE_POINTS - 1));
    return Math.min(Math.round(usd * 100) / 100, USD_MAX);
  });
}

/** Returns the runs of equal verdicts. Each begins where the one before ends. */
export function bandsOf(points: readonly CurvePoint[]): readonly Band[] {
  const bands: Band[] = [];
  for (const { usd, verdict } of points) {
    const last = bands.at(-1);
    if (last?.verdict === verdict) bands[bands.length - 1] = { ...last, toUsd: usd };
    else bands.push({ verdict, fromUsd: last?.toUsd ?? usd, toUsd: usd });
  }
  return bands;
}
