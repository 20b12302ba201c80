import { RATING_CONFIG } from '#domain/rating/rating-config';
import { DAY_S, WINDOW_DAYS } from '../calendar.js';
import { copierReturn, passesFilter } from '../ground-truth.js';
import type { Entry } from '../wallet-entries.js';
import type { World } from '../world.js';
import { conditionOf } from '../world-ids.js';

/**
 * A filtered first entry as a copier lives it, in floats: the rules under trial look at thousands
 * of wallets on many nights. A test holds them to the exact sums of the rating.
 */
export interface Bet {
  readonly timeS: number;
  readonly event: number;
  readonly category: string;
  /** All-in cost of a claim on one dollar, in dollars. */
  readonly cost: number;
  /** Weight and efficient score of the result (docs/ratings.md, "Significance"). */
  readonly weight: number;
  readonly score: number;
  /** Per staked dollar, after slippage and fees. */
  readonly returnFee: number;
  /** Settled, and past the scheduled end, from this second on. */
  readonly scoredAtS: number;
}

/** Returns from when on an entry of each market is scored: settled, and past the scheduled end. */
export function scoredTimes({ marketCount, markets }: World): Float64Array {
  return new Float64Array(marketCount).map((_, market) => {
    const { resolvedAtS, scheduledEndS } = markets.get(conditionOf(market))!;
    return Math.max(resolvedAtS ?? Number.POSITIVE_INFINITY, scheduledEndS ?? 0);
  });
}

/** Returns the bets of a copier of these entries, in their order. */
export function betsOf(world: World, scoredAtS: Float64Array, entries: readonly Entry[]): Bet[] {
  return entries.filter(passesFilter).map((entry) => betOf(world, scoredAtS[entry.market]!, entry));
}

function betOf(world: World, scoredAtS: number, { market, outcome, priceMicros, timeS }: Entry): Bet {
  const event = world.eventOf[market]!;
  const { category, feeRateMicros } = world.events[event]!.kind;
  const price = Math.min(priceMicros + RATING_CONFIG.slippageMicros, RATING_CONFIG.copierPriceMicrosMax) / 1e6;
  const cost = price * (1 + (feeRateMicros / 1e6) * (1 - price));
  const weight = 1 / (cost * (1 - cost));
  const payout = world.winners[market] === outcome ? 1 : 0;
  return {
    ...{ timeS, event, category, cost, weight, scoredAtS },
    score: (payout - cost) * weight,
    returnFee: copierReturn(priceMicros, payout, feeRateMicros, RATING_CONFIG),
  };
}

/** Sums over some bets that are scored. */
export interface Pool {
  readonly bets: readonly Bet[];
  readonly events: ReadonlyMap<number, EventPool>;
  readonly score: number;
  readonly weight: number;
  /** Sum over events of (sum of the roots of the weights) squared. */
  readonly eventRoots: number;
  readonly returnFee: number;
  readonly bestEventReturn: number;
}

/** The part of one event. */
export interface EventPool {
  readonly category: string;
  readonly bets: number;
  readonly score: number;
  readonly weight: number;
  readonly roots: number;
  readonly returnFee: number;
}

/** The pools of a rating at a moment, as `splitPools` makes them of exact entries. */
export interface NightPools {
  readonly window: Pool;
  readonly older: Pool;
  readonly inSample: Pool;
  readonly outOfSample: Pool;
}

const MONTH_S = RATING_CONFIG.monthDays * DAY_S;

const between = (bets: readonly Bet[], fromS: number, toS: number) =>
  bets.filter(({ timeS }) => timeS >= fromS && timeS < toS);

const scored = (bets: readonly Bet[], asOfS: number) => poolOf(bets.filter(({ scoredAtS }) => scoredAtS <= asOfS));

/** Returns the pool of the 90 days before a moment; nothing after it is seen. */
export function windowAt(bets: readonly Bet[], asOfS: number): Pool {
  return scored(between(bets, asOfS - WINDOW_DAYS * DAY_S, asOfS), asOfS);
}

/** Returns the pools as of a moment; nothing after it is seen. */
export function poolsAt(bets: readonly Bet[], asOfS: number): NightPools {
  const inSample = between(bets, asOfS - 2 * MONTH_S, asOfS - MONTH_S);
  const embargoed = new Set(inSample.map(({ event }) => event));
  const last = between(bets, asOfS - MONTH_S, asOfS).filter(({ event }) => !embargoed.has(event));
  return {
    window: windowAt(bets, asOfS),
    older: scored(between(bets, asOfS - WINDOW_DAYS * DAY_S, asOfS - 2 * MONTH_S), asOfS),
    inSample: scored(inSample, asOfS),
    outOfSample: scored(last, asOfS),
  };
}

const NO_EVENT = { bets: 0, score: 0, weight: 0, roots: 0, returnFee: 0 };

function poolOf(bets: readonly Bet[]): Pool {
  const events = new Map<number, { -readonly [Part in keyof EventPool]: EventPool[Part] }>();
  for (const { event, category, score, weight, returnFee } of bets) {
    const sums = events.get(event) ?? { category, ...NO_EVENT };
    events.set(event, sums);
    sums.bets += 1;
    sums.score += score;
    sums.weight += weight;
    sums.roots += Math.sqrt(weight);
    sums.returnFee += returnFee;
  }
  const all = [...events.values()];
  const sum = (part: (event: EventPool) => number) => all.reduce((total, event) => total + part(event), 0);
  return {
    ...{ bets, events },
    score: sum(({ score }) => score),
    weight: sum(({ weight }) => weight),
    eventRoots: sum(({ roots }) => roots ** 2),
    returnFee: sum(({ returnFee }) => returnFee),
    bestEventReturn: all.length === 0 ? 0 : Math.max(...all.map(({ returnFee }) => returnFee)),
  };
}

/** Variance of the score where the copier exactly breaks even and events are alike by `rho`. */
export function varianceOf(
  { weight, eventRoots }: Pick<Pool, 'weight' | 'eventRoots'>,
  rho: number = RATING_CONFIG.eventCorrelation,
): number {
  return (1 - rho) * weight + rho * eventRoots;
}

/** The z of a rating; minus infinity where nothing can be weighed. */
export function zOf(pool: Pool, rho?: number): number {
  return pool.weight > 0 ? pool.score / Math.sqrt(varianceOf(pool, rho)) : Number.NEGATIVE_INFINITY;
}

/** What a pool says of the edge, in dollars per share; null where nothing can be weighed. */
export function evidenceOf(pool: Pool): { readonly mean: number; readonly standardError: number } | null {
  if (pool.weight <= 0) return null;
  return { mean: pool.score / pool.weight, standardError: Math.sqrt(varianceOf(pool)) / pool.weight };
}
