/** An interval around zero as it is drawn, in percent of the width: zero is in the middle. */
export interface IntervalBar {
  readonly from: number;
  readonly to: number;
  /** Where the figure itself stands; null if there is none. */
  readonly at: number | null;
  /** Whether a part of it lies beyond what is drawn. */
  readonly isCut: boolean;
}

/** The widest return that is drawn, and the narrowest scale, in percent. */
const SCALE_MAX = 200;
const SCALE_MIN = 10;

interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the largest return that a scale for these intervals shows: the same for all that are
 * compared.
 */
export function scaleOf(intervals: readonly (Interval | null)[], figures: readonly (number | null)[] = []): number {
  const ends = [...intervals.flatMap((one) => (one === null ? [] : [one.low, one.high])), ...figures];
  const widest = Math.max(SCALE_MIN, ...ends.map((end) => Math.abs(end ?? 0)).filter(Number.isFinite));
  const step = widest <= 50 ? 10 : 50;
  return Math.min(SCALE_MAX, Math.ceil(widest / step) * step);
}

/**
 * Returns where an interval stands on a scale from minus to plus `scale`; null if there is none.
 */
export function intervalBar(interval: Interval | null, figure: number | null, scale: number): IntervalBar | null {
  const position = (pct: number) => 50 + (Math.max(-scale, Math.min(scale, pct)) / scale) * 50;
  if (interval === null || !Number.isFinite(interval.low) || !Number.isFinite(interval.high)) return null;
  return {
    from: position(interval.low),
    to: position(interval.high),
    at: figure === null ? null : position(figure),
    isCut: Math.max(Math.abs(interval.low), Math.abs(interval.high)) > scale,
  };
}
