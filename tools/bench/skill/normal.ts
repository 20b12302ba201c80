/**
 * Returns the chance that a standard normal number is below `x`, to 1e-7 (Abramowitz and Stegun,
 * 7.1.26). Prices have four decimals.
 */
export function normalCdf(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = 0.5 * series * Math.exp((-x * x) / 2);
  return x > 0 ? 1 - tail : tail;
}
