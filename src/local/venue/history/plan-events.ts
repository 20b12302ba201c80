import { DAY_S } from '#domain/time';
import type { Random } from '#system/random';
import { FEES, type FeeSpec, type MarketSpec, type OutcomeIndex, yesNoMarket } from '../market/market-spec.js';
import { between, chance, seededRandom, seedFor } from '../market/seeded-random.js';
import { dayOf, HOUR_S } from './calendar.js';
import type { EventKind, PlannedMarket } from './planned-market.js';
import { brownianPath, brownianSteps, byDatePath, type PricePath, winningPath } from './price-path.js';
import { type EventWords, wordsOf } from './words.js';

/** Since this moment new sports markets charge 0.05 in place of 0.03 (docs/venue.md, "Fees"). */
const SPORTS_FEE_CHANGED_S = Date.UTC(2026, 6, 10) / 1_000;
/** One game in so many is called off: both outcomes are paid half. */
const CALLED_OFF_PROBABILITY = 0.03;
/** 0.12 as a starting point, in deviations. */
const UNDERDOG = -1.175;

/** How events of one kind come and live. Days are counted from the day they are listed. */
interface KindPlan {
  /** They come on days whose number, divided by this, leaves `on`. */
  readonly everyDays: number;
  readonly on: number;
  readonly perDay: number;
  readonly markets: readonly [number, number];
  readonly lifeDays: readonly [number, number];
  readonly path: (random: Random, shared: readonly number[]) => PricePath;
}

const wander = (random: Random, shared: readonly number[]) => brownianPath(random, random.next() * 1.6 - 0.8, shared);

const KINDS: Readonly<Record<EventKind, KindPlan>> = {
  game: { everyDays: 1, on: 0, perDay: 2, markets: [1, 3], lifeDays: [1, 1], path: wander },
  derby: { everyDays: 4, on: 1, perDay: 1, markets: [4, 4], lifeDays: [1, 1], path: wander },
  upset: {
    everyDays: 15,
    on: 0,
    perDay: 1,
    markets: [4, 4],
    lifeDays: [1, 1],
    path: (dice) => winningPath(dice, UNDERDOG),
  },
  crypto: { everyDays: 2, on: 0, perDay: 1, markets: [1, 3], lifeDays: [3, 7], path: wander },
  other: { everyDays: 2, on: 1, perDay: 1, markets: [1, 2], lifeDays: [5, 14], path: wander },
  politics: { everyDays: 3, on: 0, perDay: 1, markets: [2, 4], lifeDays: [10, 30], path: wander },
  byDate: {
    everyDays: 3,
    on: 1,
    perDay: 1,
    markets: [1, 2],
    lifeDays: [20, 60],
    path: (dice) => byDatePath(dice, 0.35),
  },
  longRun: {
    everyDays: 5,
    on: 2,
    perDay: 1,
    markets: [1, 1],
    lifeDays: [200, 240],
    path: (dice) => byDatePath(dice, 0.2),
  },
  upDown: { everyDays: 1, on: 0, perDay: 3, markets: [1, 1], lifeDays: [0, 0], path: wander },
};

/**
 * Returns the markets of every event that is listed on this day, the same ones for the same seed.
 */
export function planDay(seed: number, day: number): PlannedMarket[] {
  return (Object.keys(KINDS) as EventKind[]).flatMap((kind) => {
    const { everyDays, on, perDay } = KINDS[kind];
    if (day % everyDays !== on) return [];
    return Array.from({ length: perDay }, (_, slot) => planEvent(seed, kind, day, slot)).flat();
  });
}

function planEvent(seed: number, kind: EventKind, day: number, slot: number): PlannedMarket[] {
  const plan = KINDS[kind];
  const random = seededRandom(seedFor(seed, `past:${kind}:${day}:${slot}`));
  const times = timesOf(kind, day, slot, between(random, ...plan.lifeDays), random);
  const words = wordsOf({ kind, day, slot, endDay: dayOf(times.endS), startS: times.startS, random });
  const count = Math.min(between(random, ...plan.markets), words.markets.length);
  const shared = brownianSteps(random);
  const calledOff = times.gameS !== null && kind !== 'upset' && chance(random, CALLED_OFF_PROBABILITY);
  const specs = words.markets.slice(0, count).map((market) => specOf(kind, words, market, times.startS));
  const event = { slug: words.slug, title: words.title, negRisk: false, tags: words.tags, markets: specs };
  const listed = words.seriesSlug === undefined ? event : { ...event, seriesSlug: words.seriesSlug };
  const ordinal = Math.floor(day / plan.everyDays) * plan.perDay + slot;
  return specs.map((spec, index) => {
    const path = plan.path(random, shared);
    const result: OutcomeIndex | 'half' = calledOff ? 'half' : path.winner;
    const closeS = Math.floor(times.startS + (times.endS - times.startS) * path.endsAt);
    const resolvedS = closeS + (kind === 'upDown' ? 60 : between(random, HOUR_S / 3, 2 * HOUR_S));
    const dates = datesOf(times);
    return { kind, spec, event: listed, dates, ...times, closeS, resolvedS, result, path, ordinal, index };
  });
}

interface Times {
  readonly startS: number;
  /** When it is over; a game begins three hours earlier. */
  readonly endS: number;
  readonly gameS: number | null;
}

function timesOf(kind: EventKind, day: number, slot: number, lifeDays: number, random: Random): Times {
  const midnightS = day * DAY_S;
  if (kind === 'upDown') {
    const startS = midnightS + (6 + 5 * slot) * HOUR_S;
    return { startS, endS: startS + (slot === 0 ? HOUR_S : 900), gameS: null };
  }
  if (kind === 'game' || kind === 'derby' || kind === 'upset') {
    const gameS = midnightS + lifeDays * DAY_S + between(random, 15, 19) * HOUR_S;
    return { startS: midnightS + (5 + slot) * HOUR_S, endS: gameS + 3 * HOUR_S, gameS };
  }
  return { startS: midnightS + between(random, 8, 14) * HOUR_S, endS: (day + lifeDays + 1) * DAY_S - 1, gameS: null };
}

function datesOf({ startS, endS, gameS }: Times): PlannedMarket['dates'] {
  const ends = gameS ?? endS;
  return { startMs: startS * 1_000, endMs: ends * 1_000, gameStartMs: gameS === null ? null : gameS * 1_000 };
}

function specOf(kind: EventKind, words: EventWords, market: EventWords['markets'][number], startS: number): MarketSpec {
  const sports = market.sportsMarketType !== undefined;
  return yesNoMarket({
    ...market,
    purpose: `past: ${kind}`,
    fee: sports ? sportsFee(startS) : words.fee,
    ...(sports ? { secondsDelay: 3 } : {}),
  });
}

function sportsFee(startS: number): FeeSpec {
  return startS < SPORTS_FEE_CHANGED_S ? FEES.sportsBeforeJuly2026 : FEES.sports;
}
