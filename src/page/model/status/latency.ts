import type { StatusHistory } from '#api/status-history';
import { DAY_S } from '#domain/time';
import { roundUp } from '../round-up.js';

/** A moment of the last 24 hours (0 to 1) with the latency of verdicts at it. */
export interface LatencyPoint {
  readonly at: number;
  readonly ms: number;
}

/** How long verdicts took in the last 24 hours. A line ends where none was asked for. */
export interface Latency {
  readonly p50: readonly (readonly LatencyPoint[])[];
  readonly p95: readonly (readonly LatencyPoint[])[];
  /** The end of the scale. */
  readonly topMs: number;
}

/** So many seconds are one point, the slowest of them: the page shows no more. */
const POINT_S = 300;
const LEAST_TOP_MS = 0.1;
const POINTS = DAY_S / POINT_S;

/** Returns the lines of latency until `nowS`; null: no verdict was asked for. */
export function latencyOf({ samples }: StatusHistory, nowS: number): Latency | null {
  const slowest = (key: 'p50' | 'p95') => {
    const points = Array.from({ length: POINTS }, (): number | null => null);
    for (const sample of samples) {
      const at = Math.floor((sample.t - (nowS - DAY_S)) / POINT_S);
      const ms = sample[key];
      if (at >= 0 && at < POINTS && ms !== null) points[at] = Math.max(points[at] ?? 0, ms);
    }
    return linesOf(points);
  };
  const [p50, p95] = [slowest('p50'), slowest('p95')];
  if (p95.length === 0) return null;
  return { p50, p95, topMs: roundUp(Math.max(LEAST_TOP_MS, ...[...p50, ...p95].flat().map(({ ms }) => ms))) };
}

/** Cuts points into lines where one is missing. */
function linesOf(points: readonly (number | null)[]): readonly (readonly LatencyPoint[])[] {
  const lines: LatencyPoint[][] = [];
  for (const [at, ms] of points.entries()) {
    if (ms === null) continue;
    const point = { at: Math.round(((at + 0.5) / POINTS) * 1e4) / 1e4, ms: Math.round(ms * 100) / 100 };
    if (at > 0 && points[at - 1] !== null) lines.at(-1)!.push(point);
    else lines.push([point]);
  }
  return lines;
}
