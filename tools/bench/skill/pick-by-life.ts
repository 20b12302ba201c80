import type { WorldEvent } from './world-events.js';

/** Returns a pick in which each market weighs as much as it lives long. */
export function pickByLife(events: readonly WorldEvent[], eventOf: Int32Array): (unit: number) => number {
  const ends = new Float64Array(eventOf.length);
  let end = 0;
  eventOf.forEach((event, market) => {
    end += events[event]!.lifeS;
    ends[market] = end;
  });
  return (unit) => firstAbove(ends, unit * end);
}

/** Returns the place of the first of some rising numbers that is above `value`, by halving. */
function firstAbove(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
