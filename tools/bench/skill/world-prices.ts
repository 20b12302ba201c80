import type { Random } from '#system/random';
import { drawByDates, PATH_STEPS, writeBrownianPaths } from './price-paths.js';
import type { WorldEvent } from './world-events.js';

/**
 * What happens in each market. `chances` is 0 for Brownian markets, `happensAt` above 1 where
 * nothing ends a market early.
 */
export interface Prices {
  readonly eventOf: Int32Array;
  readonly winners: Uint8Array;
  readonly paths: Uint16Array;
  readonly chances: Float64Array;
  readonly happensAt: Float64Array;
}

/** Returns every price and every result. */
export function drawPrices(dice: Random, events: readonly WorldEvent[], count: number): Prices {
  const prices: Prices = {
    eventOf: new Int32Array(count),
    winners: new Uint8Array(count),
    paths: new Uint16Array(count * PATH_STEPS),
    chances: new Float64Array(count),
    happensAt: new Float64Array(count).fill(2),
  };
  events.forEach(({ firstMarket, markets, byDate }, event) => {
    prices.eventOf.fill(event, firstMarket, firstMarket + markets);
    if (byDate) placeByDates(dice, prices, firstMarket, markets);
    else {
      const isYes = writeBrownianPaths(dice, markets, prices.paths, firstMarket * PATH_STEPS);
      isYes.forEach((yes, i) => {
        prices.winners[firstMarket + i] = yes ? 0 : 1;
      });
    }
  });
  return prices;
}

function placeByDates(dice: Random, prices: Prices, firstMarket: number, markets: number): void {
  drawByDates(dice, markets).forEach(({ chance: opening, happensAt }, i) => {
    prices.chances[firstMarket + i] = opening;
    prices.happensAt[firstMarket + i] = happensAt;
    prices.winners[firstMarket + i] = happensAt < 1 ? 0 : 1;
  });
}
