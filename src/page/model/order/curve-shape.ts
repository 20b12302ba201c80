import type { Thresholds } from '#domain/order/thresholds';
import { roundUp } from '../round-up.js';
import type { CurvePoint } from './curve.js';

/**
 * Where sizes and slippages lie in a picture: sizes on a logarithmic scale from its left, slippage
 * from its bottom.
 */
export interface CurveScale {
  readonly fromUsd: number;
  readonly toUsd: number;
  readonly topCents: number;
}

/** Above the veto limit, so that its line is seen; with room over the highest point. */
const ROOM = 1.15;

export function scaleOf(points: readonly CurvePoint[], { slippageVetoCents }: Thresholds): CurveScale {
  const highest = points.reduce((most, { slippageCents }) => Math.max(most, slippageCents), 0);
  const topCents = Math.max(Math.min(highest, slippageVetoCents * 4), slippageVetoCents, 0.01) * ROOM;
  return { fromUsd: points[0]?.usd ?? 1, toUsd: points.at(-1)?.usd ?? 10, topCents };
}

/** 0 at the left, 1 at the right. */
export function acrossOf({ fromUsd, toUsd }: CurveScale, usd: number): number {
  return within(Math.log(usd / fromUsd) / Math.log(toUsd / fromUsd));
}

/** 0 at the bottom, 1 at the top. */
export function upOf({ topCents }: CurveScale, cents: number): number {
  return within(cents / topCents);
}

function within(part: number): number {
  return Math.min(Math.max(part, 0), 1);
}

/** The powers of ten on the scale of sizes. */
export function sizeTicks({ fromUsd, toUsd }: CurveScale): readonly number[] {
  const first = Math.ceil(Math.log10(fromUsd));
  const last = Math.floor(Math.log10(toUsd));
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => 10 ** (first + at));
}

const TICKS_MAX = 5;

/** Round slippages from 0 up, at most `TICKS_MAX` steps of 1, 2 or 5 of a power of ten. */
export function slippageTicks({ topCents }: CurveScale): readonly number[] {
  const step = roundUp(topCents / TICKS_MAX);
  return Array.from({ length: Math.floor(topCents / step) + 1 }, (_, at) => Number((at * step).toPrecision(3)));
}
