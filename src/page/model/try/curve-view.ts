import { effect, type Signal, signal, untracked } from '@preact/signals';
import type { ClientSystem } from '#client/system';
import { MIN_BUY_NOTIONAL_USD } from '#domain/order/thresholds';
import { type Band, bandsOf, type CurvePoint, curveOf } from '../order/curve.js';
import { type CurveScale, scaleOf } from '../order/curve-shape.js';
import type { TryState } from './try-state.js';

/** The curve with where the order stands on it. */
export interface CurveView {
  readonly points: readonly CurvePoint[];
  readonly bands: readonly Band[];
  readonly scale: CurveScale;
  /** null: the order is beyond its end, or cannot be judged. */
  readonly here: CurvePoint | null;
  readonly limitsCents: readonly [caution: number, veto: number];
  /** The largest size that is OK; null: none is. */
  readonly safeUsd: number | null;
  /** The least size that the venue takes; null: it is not known. */
  readonly minimumUsd: number | null;
}

/** A curve is a hundred and twenty verdicts: while a book streams it is drawn so often at most. */
const CURVE_INTERVAL_MS = 250;

/** Returns the curve of what a state shows now; null: there is no book, or no order. */
export function curveView(state: TryState): CurveView | null {
  const [scene, reading, judged] = [state.scene(), state.reading.value, state.judged.value];
  if (scene === null || reading.kind === 'invalid' || judged === null) return null;
  const { thresholds } = reading.order;
  const { verdict, order, numbers, meta } = judged.body;
  const points = curveOf(reading.order, scene, Date.parse(meta.evaluated_at));
  const here = { usd: order.usd, slippageCents: numbers.expected_slippage_cents, verdict };
  return {
    points,
    bands: bandsOf(points),
    scale: scaleOf(points, thresholds),
    here: here.usd > points.at(-1)!.usd ? null : here,
    limitsCents: [thresholds.slippageCautionCents, thresholds.slippageVetoCents],
    safeUsd: numbers.safe_size_usd === 0 ? null : numbers.safe_size_usd,
    minimumUsd: order.side === 'BUY' ? MIN_BUY_NOTIONAL_USD : null,
  };
}

/** Keeps the curve by what the state shows, with a rest after each. Returns what ends it. */
export function followCurve(state: TryState, view: Signal<CurveView | null>, { timers }: ClientSystem): () => void {
  const isResting = signal(false);
  let stopRest = () => {};
  const stop = effect(() => {
    // Read before the rest is looked at: what changes meanwhile brings the effect back at its end.
    const dependsOn = [state.judged.value, state.fields.value];
    if (dependsOn.length === 0 || isResting.value) return;
    view.value = untracked(() => curveView(state));
    isResting.value = true;
    stopRest = timers.after(CURVE_INTERVAL_MS, () => {
      isResting.value = false;
    });
  });
  return () => {
    stop();
    stopRest();
  };
}
