import type { Random } from '#system/random';
import type { OutcomeIndex } from '../market/market-spec.js';
import { gaussian } from '../market/seeded-random.js';

/**
 * A path is known at so many moments of a market's life; between two of them the price stands
 * still.
 */
export const PATH_STEPS = 24;

/**
 * How the price of a market's first outcome went, and how it ended. Prices are fair at every step:
 * of those at 0.3, 30 % win.
 */
export interface PricePath {
  /** Prices of the first outcome at the start of each step, in (0, 1). */
  readonly prices: readonly number[];
  readonly winner: OutcomeIndex;
  /** The part of the planned life after which the result is known: 1 but for what happens early. */
  readonly endsAt: number;
}

/**
 * Returns the standard normal distribution function (Abramowitz and Stegun 7.1.26, good to about
 * 1e-7).
 */
function normalCdf(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const upper = (poly * Math.exp((-x * x) / 2)) / 2;
  return x >= 0 ? 1 - upper : upper;
}

/** Returns the steps of a Brownian motion over one life: variances add up to 1. */
export function brownianSteps(random: Random): number[] {
  return Array.from({ length: PATH_STEPS }, () => gaussian(random) / Math.sqrt(PATH_STEPS));
}

/**
 * Returns a Brownian path from `from` (in deviations: 0 is even) that wins where it ends above
 * zero. `shared` are the steps of its event: the ends of two markets of one event are correlated by
 * a half.
 */
export function brownianPath(random: Random, from: number, shared: readonly number[]): PricePath {
  const own = brownianSteps(random);
  const prices: number[] = [];
  let at = from;
  for (let step = 0; step < PATH_STEPS; step++) {
    prices.push(normalCdf(at / Math.sqrt(1 - step / PATH_STEPS)));
    at += Math.SQRT1_2 * ((own[step] ?? 0) + (shared[step] ?? 0));
  }
  return { prices, winner: at > 0 ? 0 : 1, endsAt: 1 };
}

/** Returns a Brownian path that the first outcome wins: the first of many that does. */
export function winningPath(random: Random, from: number): PricePath {
  const TRIES_MAX = 1_000;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const path = brownianPath(random, from, brownianSteps(random));
    if (path.winner === 0) return path;
  }
  throw new Error(`no winning path from ${from} in ${TRIES_MAX}`);
}

/**
 * Returns the path of "X by a date", which happens with probability `q`, at a uniform time, and
 * else not: while it has not happened, its price runs out. A Yes is known when it happens, a No at
 * the end.
 */
export function byDatePath(random: Random, q: number): PricePath {
  const happens = random.next() < q;
  const at = random.next();
  const prices = Array.from({ length: PATH_STEPS }, (_, step) => {
    const t = step / PATH_STEPS;
    return (q * (1 - t)) / (1 - q * t);
  });
  return { prices, winner: happens ? 0 : 1, endsAt: happens ? at : 1 };
}
