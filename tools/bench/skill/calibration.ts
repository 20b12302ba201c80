import { seededRandom, seedFor } from '#local/venue/market/seeded-random';
import type { World } from './world.js';

/** One tenth of the prices: what they promise and what came. */
export interface PriceDecile {
  readonly prices: number;
  /** Mean price of YES, in USD, and the share of these markets that YES won. */
  readonly meanPrice: number;
  readonly wonShare: number;
  /**
   * How many standard errors lie between the two; mostly between -2 and 2 where prices are
   * calibrated.
   */
  readonly z: number;
}

const DECILES = 10;
const DECILE_MICROS = 1e6 / DECILES;

/** Prices of YES beside results, over any number of worlds. */
export class Calibration {
  readonly #cells = Array.from({ length: DECILES }, () => ({ prices: 0, sum: 0, won: 0, variance: 0 }));

  /**
   * Looks at one market of each event at a random moment of its life: markets of one event are not
   * independent.
   */
  add(world: World, seed: number): void {
    const dice = seededRandom(seedFor(seed, 'calibration'));
    for (const { firstMarket, markets } of world.events) {
      const market = firstMarket + Math.floor(dice.next() * markets);
      const priceMicros = world.yesPriceMicros(market, dice.next());
      if (priceMicros !== null) this.#addPrice(priceMicros, world.winners[market] === 0);
    }
  }

  deciles(): PriceDecile[] {
    return this.#cells.map(({ prices, sum, won, variance }) => ({
      prices,
      meanPrice: sum / prices,
      wonShare: won / prices,
      z: (won - sum) / Math.sqrt(variance),
    }));
  }

  #addPrice(priceMicros: number, isWon: boolean): void {
    const price = priceMicros / 1e6;
    const cell = this.#cells[Math.min(DECILES - 1, Math.floor(priceMicros / DECILE_MICROS))]!;
    cell.prices += 1;
    cell.sum += price;
    cell.variance += price * (1 - price);
    if (isWon) cell.won += 1;
  }
}
