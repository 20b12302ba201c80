import { groupBy } from '#domain/rating/group-by';
import { DAY_S } from '../calendar.js';
import { type Bet, type NightPools, poolsAt, zOf } from './bets.js';
import type { Candidate } from './candidates.js';
import { byWallet, type Gates, type NightRule, passes, STRICT_GATES, WIDE_GATES } from './rule.js';

/** Rules that look at more than one night (docs/ratings.md, "What was tried"). */
export const SEQUENTIAL: readonly NightRule[] = [
  holds(3, 1),
  holds(7, 1),
  holds(28, 7),
  leastZ(7, 1, 1.66),
  leastZ(28, 7, 1.3),
  meanZ(28, 7, 1.74),
  eValue(0.04, 4.4, STRICT_GATES),
  eValue(0.06, 6.5, STRICT_GATES),
  eValue(0.06, 20, STRICT_GATES),
  eValue(0.04, 5, WIDE_GATES),
];

/** COPY by the former rule on this night and on all of the nights before. */
function holds(nights: number, step: number): NightRule {
  const isCopy = (candidate: Candidate, pools: NightPools) =>
    passes({ ...candidate, pools }, STRICT_GATES) && zOf(pools.window) >= 1.96;
  return byWallet(`COPY also on the last ${nights} nights, every ${step}`, STRICT_GATES, (candidate) => {
    return (
      isCopy(candidate, candidate.pools) && nightsBefore(nights, step, candidate, (pools) => isCopy(candidate, pools))
    );
  });
}

function nightsBefore(
  nights: number,
  step: number,
  { bets, asOfS }: Candidate,
  test: (pools: NightPools) => boolean,
): boolean {
  for (let back = step; back <= nights; back += step) {
    if (!test(poolsAt(bets, asOfS - back * DAY_S))) return false;
  }
  return true;
}

function leastZ(nights: number, step: number, min: number): NightRule {
  return byWallet(`least z of ${nights} nights, every ${step}, >= ${min}`, STRICT_GATES, (candidate) => {
    const isAbove = ({ window }: NightPools) => zOf(window) >= min;
    return isAbove(candidate.pools) && nightsBefore(nights, step, candidate, isAbove);
  });
}

function meanZ(nights: number, step: number, min: number): NightRule {
  return byWallet(`mean z of ${nights} nights, every ${step}, >= ${min}`, STRICT_GATES, ({ pools, bets, asOfS }) => {
    const all = [zOf(pools.window)];
    for (let back = step; back <= nights; back += step) all.push(zOf(poolsAt(bets, asOfS - back * DAY_S).window));
    return all.reduce((sum, z) => sum + z, 0) / all.length >= min;
  });
}

/** What a gambler on an edge has made of a dollar, at least. */
function eValue(edge: number, min: number, gates: Gates): NightRule {
  const asked = gates === WIDE_GATES ? ', 10/8/6 entries' : '';
  return byWallet(`e-value of +${100 * edge}c >= ${min}${asked}`, gates, ({ pools }) => {
    return logEValue(pools.window.bets, edge) >= Math.log(min);
  });
}

/**
 * The logarithm of what a gambler has who bets, event after event, on an edge of so many dollars, and
 * began with one dollar. Where the copier breaks even or worse, its mean is at most one dollar at any
 * moment; markets of one event share the stake.
 */
function logEValue(bets: readonly Bet[], edge: number): number {
  let log = 0;
  for (const ofEvent of groupBy(bets, ({ event }) => `${event}`).values()) {
    const factors = ofEvent.map(({ cost, score }) => 1 + Math.min(edge, (1 - cost) / 2) * score);
    log += Math.log(factors.reduce((sum, factor) => sum + factor, 0) / factors.length);
  }
  return log;
}
