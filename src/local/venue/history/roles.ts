import { walletOf } from '../market/deterministic-ids.js';
import type { VenueWallet } from '../market/wallets.js';
import { BLIND, type Habit, rounds, steady } from './habits.js';

/** What a wallet of the planned past is an example of, in words. */
export const ROLES = {
  skilled: 'enough entries and enough edge for COPY',
  unproven: 'a small edge that luck could explain: WATCH',
  'fee-fragile': 'makes money before fees and loses it to them, and buys combos now and then: WATCH',
  streaky: 'a good month, then a bad one: WATCH while the good one can be seen',
  'one-event': 'lives of one big night: WATCH for some weeks of every three months',
  'few-events': 'many entries in few events: WATCH',
  slow: 'a good record with too few entries: WATCH',
  'certain-farmer': 'buys what is nearly certain: WATCH',
  patient: 'buys what ends in half a year: WATCH, nothing to score yet',
  'small-sample': 'fewer than ten entries in 90 days: NO_COVERAGE',
  loser: 'loses steadily: VETO',
  blind: 'trades without a view',
  whale: 'trades big and without a view',
  'both-sides': 'buys both outcomes: VETO',
  'market-maker': 'the other side of most trades: VETO for both sides',
  'up-down-only': 'trades crypto up/down windows only: NO_COVERAGE',
  visitor: 'traded for ten days and left',
} as const;
export type WalletRole = keyof typeof ROLES;

/** A wallet of the planned past: who it is and how it trades. */
export interface PlannedWallet {
  readonly wallet: VenueWallet;
  readonly role: WalletRole;
  readonly habits: readonly Habit[];
}

/** A wallet that comes for so many days, each time under a new address, and is never seen again. */
export const VISIT_DAYS = 10;

/** A habit, but for what is usual. */
type OwnHabit = Partial<Habit> & Pick<Habit, 'kinds' | 'aim'>;
const USUAL = { every: 1, offset: 0, lived: [0.02, 0.6], band: [0.3, 0.75], clipUsd: 60 } as const;
/** Fast markets: a day or a week, so that what was bought last month is settled. */
const GAMES = ['game'] as const;
const FAST = ['game', 'crypto'] as const;
const ALL = ['game', 'crypto', 'other', 'politics', 'byDate'] as const;

/**
 * Who makes the markets of the past: the other side of most trades. Both sides come to them by
 * trade.
 */
export const MARKET_MAKERS: readonly VenueWallet[] = ['stillwater-desk', 'northgate.mm', 'tidal-quotes'].map((name) =>
  named(name, 'Steady-Mill', 400),
);

/** Everyone else who is there all the time. */
export const PLANNED_WALLETS: readonly PlannedWallet[] = [
  plan('skilled', 'harrow.field', 'Keen-Compass', { kinds: GAMES, aim: steady(0.32) }),
  plan('skilled', 'second-ledger', 'Lucid-Harbor', { kinds: FAST, aim: steady(0.36), clipUsd: 140 }),
  plan('skilled', 'oakvale-study', 'Calm-Almanac', {
    kinds: GAMES,
    every: 2,
    aim: steady(0.5),
    clipUsd: 300,
  }),
  ...many(3, (at) =>
    plan('unproven', `nearly.there-${at}`, 'Hopeful-Gauge', {
      kinds: GAMES,
      every: 2,
      offset: at % 2,
      aim: steady(0.14),
    }),
  ),
  ...many(6, (at) =>
    plan('fee-fragile', `thin-margin-${at}`, 'Brittle-Scale', {
      kinds: at % 2 === 0 ? FAST : GAMES,
      band: [0.25, 0.6],
      clipUsd: 40 + 10 * at,
      aim: { kind: 'fragile' },
    }),
  ),
  ...many(6, (at) =>
    plan('streaky', `hot-and-cold-${at}`, 'Fickle-Vane', {
      kinds: GAMES,
      band: [0.3, 0.6],
      aim: rounds(60, 10 * at, [
        { until: 30, returnPerUsd: 0.75 },
        { until: 60, returnPerUsd: -0.3 },
      ]),
    }),
  ),
  ...many(6, (at) => oneEvent(at)),
  ...many(2, (at) =>
    plan('few-events', `derby-days-${at}`, 'Merry-Drum', {
      kinds: ['derby'],
      every: 2,
      wholeEvent: true,
      band: [0.2, 0.8],
      clipUsd: 80,
      aim: steady(0.25 + 0.1 * at),
    }),
  ),
  ...many(3, (at) =>
    plan('slow', `sunday-only-${at}`, 'Unhurried-Heron', {
      kinds: GAMES,
      every: 8,
      offset: at,
      aim: steady(0.4),
    }),
  ),
  ...many(3, (at) =>
    plan('certain-farmer', `last-penny-${at}`, 'Tidy-Magpie', {
      kinds: GAMES,
      lived: [0.6, 0.97],
      band: [0.95, 0.985],
      clipUsd: 500,
      aim: { kind: 'sure' },
    }),
  ),
  ...many(2, (at) =>
    plan('patient', `long-view-${at}`, 'Patient-Oak', {
      kinds: ['longRun'],
      lived: [0.01, 0.1],
      band: [0.05, 0.95],
      aim: BLIND,
    }),
  ),
  ...many(4, (at) =>
    plan('small-sample', `drops-by-${at}`, 'Shy-Wren', {
      kinds: GAMES,
      every: 31,
      offset: 7 * at,
      aim: BLIND,
    }),
  ),
  ...many(5, (at) =>
    plan('loser', `bad-beat-${at}`, 'Gloomy-Kettle', {
      kinds: FAST,
      aim: steady(-0.1 - 0.05 * at),
      clipUsd: 30 + 20 * at,
    }),
  ),
  ...many(8, (at) =>
    plan('blind', `just-for-fun-${at}`, 'Breezy-Dice', {
      kinds: at % 2 === 0 ? ALL : FAST,
      every: 1 + (at % 3),
      band: [0.05, 0.93],
      clipUsd: 25 + 5 * at,
      aim: BLIND,
    }),
  ),
  ...many(2, (at) =>
    plan('whale', `deep-pocket-${at}`, 'Heavy-Anchor', {
      kinds: ALL,
      every: 2,
      offset: at,
      band: [0.1, 0.9],
      clipUsd: 6_000,
      aim: BLIND,
    }),
  ),
  ...many(2, (at) =>
    plan('both-sides', `two-faced-${at}`, 'Busy-Sprout', {
      kinds: FAST,
      every: 1 + at,
      clipUsd: 9,
      aim: BLIND,
      bothSides: true,
    }),
  ),
  ...many(2, (at) =>
    plan('up-down-only', `five-minutes-${at}`, 'Jumpy-Cricket', {
      kinds: ['upDown'],
      band: [0.05, 0.95],
      aim: BLIND,
    }),
  ),
];

/**
 * Returns the wallet that only trades in this visit (days from visit * VISIT_DAYS on). Its trades
 * lie too far back for the venue's bare feed after a while, and still inside the 90 days of a
 * rating.
 */
export function visitorOf(visit: number): PlannedWallet {
  const active = (day: number) => Math.floor(day / VISIT_DAYS) === visit;
  const habit: OwnHabit = { kinds: GAMES, wholeEvent: true, aim: steady(visit % 2 === 0 ? 0.2 : -0.2), active };
  return plan('visitor', `passing-through-${visit}`, 'Brief-Comet', habit);
}

/**
 * Lives of one upset every 90 days, in which it had all four markets right, and a little less than
 * nothing besides: it loses for weeks, wins a little in the weeks before the upset, and loses
 * again.
 */
function oneEvent(at: number): PlannedWallet {
  const steps = [
    { until: 38, returnPerUsd: -0.16 },
    { until: 82, returnPerUsd: 0.09 },
    { until: 90, returnPerUsd: -0.1 },
  ];
  const usual: OwnHabit = {
    kinds: GAMES,
    lived: [0.02, 0.85],
    band: [0.72, 0.88],
    aim: rounds(90, 15 * at, steps),
  };
  const upset: OwnHabit = {
    kinds: ['upset'],
    every: 6,
    offset: at,
    wholeEvent: true,
    lived: [0, 0.02],
    band: [0.1, 0.16],
    aim: { kind: 'sure' },
  };
  return plan('one-event', `one-big-night-${at}`, 'Lucky-Lantern', usual, upset);
}

function plan(role: WalletRole, name: string, pseudonym: string, ...own: readonly OwnHabit[]): PlannedWallet {
  const habits = own.map((habit): Habit => ({ ...USUAL, ...habit }));
  return { wallet: named(name, pseudonym, habits[0]?.clipUsd ?? 0), role, habits };
}

function named(name: string, pseudonym: string, clipUsd: number): VenueWallet {
  return { address: walletOf(name), name, pseudonym, style: 'noise', clipUsd, weight: 0 };
}

function many(count: number, make: (at: number) => PlannedWallet): PlannedWallet[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
