/**
 * Returns the exact 95 % interval of a Poisson mean after `count` events were seen (Garwood): the
 * least mean that does not make so many, and the greatest that does not make so few, less likely
 * than 2.5 %.
 */
export function poissonInterval(count: number): readonly [number, number] {
  const low = count === 0 ? 0 : meanWhere((mean) => 1 - poissonCdf(count - 1, mean) < 0.025, count);
  return [low, meanWhere((mean) => poissonCdf(count, mean) > 0.025, count)];
}

/** Returns where a condition that holds for small means stops to hold, by halving. */
function meanWhere(holds: (mean: number) => boolean, count: number): number {
  let low = 0;
  let high = count + 10 * Math.sqrt(count + 1) + 10;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The chance of `count` events or fewer. In logarithms, so that large counts do not underflow. */
function poissonCdf(count: number, mean: number): number {
  let term = -mean;
  let sum = Math.exp(term);
  for (let i = 1; i <= count; i++) {
    term += Math.log(mean / i);
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}
