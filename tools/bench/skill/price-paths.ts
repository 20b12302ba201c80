import { gaussian } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import { normalCdf } from './normal.js';

/**
 * A Brownian price moves at this many equal steps of its market's life, and stands still between
 * them.
 */
export const PATH_STEPS = 64;

/** Prices of a path are in 1e-4 USD. */
export const PATH_TICKS = 10_000;

/** How alike the ends of two markets of one event are. */
const END_CORRELATION = 0.5;
const COMMON = Math.sqrt(END_CORRELATION);
const OWN = Math.sqrt(1 - END_CORRELATION);

/**
 * Writes the YES prices of the markets of one event, `PATH_STEPS` each from `offset` on, and
 * returns who ends above zero. The hidden value X of a market is a Brownian motion over its life;
 * YES wins where it ends above zero, so the price after a part f of the life is Phi(X / sqrt(1 -
 * f)): the chance of YES given all that has happened, exactly. A price is told at the steps alone,
 * because a line between two steps would know the second one.
 */
export function writeBrownianPaths(dice: Random, markets: number, paths: Uint16Array, offset: number): boolean[] {
  const hidden = new Float64Array(markets);
  const scale = Math.sqrt(1 / PATH_STEPS);
  for (let step = 0; step < PATH_STEPS; step++) {
    const left = Math.sqrt(1 - step / PATH_STEPS);
    const common = COMMON * gaussian(dice);
    for (let market = 0; market < markets; market++) {
      const ticks = Math.round(PATH_TICKS * normalCdf(hidden[market]! / left));
      paths[offset + market * PATH_STEPS + step] = ticks;
      hidden[market]! += scale * (common + OWN * gaussian(dice));
    }
  }
  return Array.from(hidden, (end) => end > 0);
}

/** A market that asks whether something happens before its end. */
export interface ByDate {
  /** Chance of YES when it opens. */
  readonly chance: number;
  /** After which part of its life it happens; above 1: not in time. */
  readonly happensAt: number;
}

/**
 * Returns the by-date markets of one event: each happens at a uniform moment or not at all, and
 * they tend to do so together.
 */
export function drawByDates(dice: Random, markets: number): ByDate[] {
  const common = COMMON * gaussian(dice);
  return Array.from({ length: markets }, () => {
    const chance = 0.05 + 0.9 * dice.next();
    return { chance, happensAt: normalCdf(common + OWN * gaussian(dice)) / chance };
  });
}

/**
 * Returns the YES price of a by-date market after a part of its life in which it has not happened:
 * q(1-f)/(1-qf), in ticks.
 */
export function byDateTicks(chance: number, part: number): number {
  return Math.round((PATH_TICKS * chance * (1 - part)) / (1 - chance * part));
}
