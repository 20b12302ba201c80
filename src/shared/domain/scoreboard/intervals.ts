/** A share with an interval around it, all from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How often something happened among the samples of one group of markets. */
export interface GroupCount {
  readonly n: number;
  readonly hits: number;
}

/** Two-sided 95 %. */
const Z = 1.959964;
/** The same quantile of Student's t for 1 to 30 degrees of freedom. */
const T = [
  ...[12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228],
  ...[2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086],
  ...[2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042],
];

/** Returns Wilson's 95 % interval of a share; null: there are no samples. */
export function wilsonInterval(hits: number, n: number): Interval | null {
  if (n <= 0) return null;
  const share = hits / n;
  const scale = 1 + Z ** 2 / n;
  const center = (share + Z ** 2 / (2 * n)) / scale;
  const reach = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))) / scale;
  return {
    low: Math.min(share, Math.max(0, center - reach)),
    high: Math.max(share, Math.min(1, center + reach)),
  };
}

/**
 * Returns the interval of a share whose samples come in groups that may each be alike inside: Wilson's
 * for as many samples as would tell as much if they were independent (the design effect, with Student's
 * t for the number of groups). It is never narrower than `wilsonInterval`. null: of fewer than two
 * groups, and where it happened never or always, the groups show no spread.
 */
export function clusteredInterval(groups: readonly GroupCount[]): Interval | null {
  const seen = groups.filter(({ n }) => n > 0);
  const n = seen.reduce((sum, group) => sum + group.n, 0);
  const hits = seen.reduce((sum, group) => sum + group.hits, 0);
  if (seen.length < 2 || hits === 0 || hits === n) return null;
  const share = hits / n;
  const squares = seen.reduce((sum, group) => sum + (group.hits - share * group.n) ** 2, 0);
  const variance = (squares * seen.length) / (seen.length - 1) / n ** 2;
  const effect = Math.max(1, (variance * n) / (share * (1 - share)));
  const effective = (n / effect) * (Z / studentT(seen.length - 1)) ** 2;
  return wilsonInterval(share * effective, effective);
}

/** Beyond the table by the first terms of its expansion, which agree there to three digits. */
function studentT(freedom: number): number {
  return T[freedom - 1] ?? Z + (Z ** 3 + Z) / (4 * freedom);
}
