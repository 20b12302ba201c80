import type { GuardWorld } from '../support/guard-world.js';
import type { Trader, TraderOrder } from './trader.js';

/** A row of the table in docs/guard.md whose order goes out. */
export interface SentCase {
  readonly what: string;
  order(world: GuardWorld): Promise<TraderOrder>;
  /** Entries claim of the cap. */
  readonly isEntry: boolean;
  /** Orders that it posts. */
  readonly legs: number;
  /** What rests is matched by nothing yet. */
  readonly rests?: boolean;
  /** Which steps it does not have. */
  readonly without?: readonly DeathAt[];
  readonly more?: Partial<Trader>;
  readonly isFrozen?: boolean;
  /** No verdict can be had. */
  readonly isAway?: boolean;
}

/** More than any of these orders costs. */
export const AMPLE_USD = 20_000;
export const ENTRY_USD = 40;

const usual = (kind: TraderOrder['kind'], amount: number, price?: number) => async (world: GuardWorld) => ({
  kind,
  tokenId: world.token('usual'),
  amount,
  ...(price === undefined ? {} : { price }),
});
const cautious = async (world: GuardWorld): Promise<TraderOrder> => {
  const tokenId = world.token('usual');
  return { kind: 'buy', tokenId, amount: await world.cautionUsd(tokenId) };
};
const entry = { isEntry: true, legs: 1 } as const;
const exit = { isEntry: false, legs: 1 } as const;

export const CASES: readonly SentCase[] = [
  { what: 'an entry that is OK', ...entry, order: usual('buy', ENTRY_USD) },
  { what: 'an entry that is resized', ...entry, order: cautious },
  { what: 'an entry that its owner says yes to', ...entry, order: cautious, more: { owner: 'says_yes' } },
  { what: 'an entry that rests', ...entry, order: usual('limit_buy', 400, 0.1), rests: true, without: ['asked'] },
  { what: 'an entry that is signed', ...entry, order: usual('signed', 20, 0.9), without: ['claimed', 'signed'] },
  {
    what: 'two entries in one request',
    ...entry,
    legs: 2,
    order: usual('several', 20, 0.9),
    without: ['claimed', 'signed'],
  },
  { what: 'an exit that is OK', ...exit, order: usual('sell', 30) },
  {
    what: 'an exit that is VETO',
    ...exit,
    order: usual('sell', 30),
    more: { limits: { max_book_age_s: 0.000_001 } },
  },
  { what: 'an exit without a verdict', ...exit, order: usual('sell', 30), isAway: true },
  { what: 'an exit in a freeze', ...exit, order: usual('sell', 30), isFrozen: true },
  { what: 'an exit with nothing left of the cap', ...exit, order: usual('sell', 30), more: { perDayUsd: 0 } },
  { what: 'an exit that rests', ...exit, order: usual('limit_sell', 50, 0.9), rests: true, without: ['asked'] },
  { what: 'a BUY that is an exit', ...exit, order: usual('buy', ENTRY_USD), more: { buysAreExits: true } },
];

/** Where a process dies, or its line does, and what is to be seen of its orders then. */
export const DEATHS = [
  { at: 'asked', posts: 0, matches: 0, fate: null },
  { at: 'claimed', posts: 0, matches: 0, fate: 'not_sent' },
  { at: 'signed', posts: 0, matches: 0, fate: 'not_sent' },
  { at: 'posting', posts: 0, matches: 0, fate: 'unknown' },
  { at: 'arrived', posts: 1, matches: 0, fate: 'unknown' },
  { at: 'matched', posts: 1, matches: 1, fate: 'unknown' },
  { at: 'answered', posts: 1, matches: 1, fate: 'unknown' },
  // The process lives on.
  { at: 'lost before a match', posts: 1, matches: 0, fate: 'unknown' },
  { at: 'lost after a match', posts: 1, matches: 1, fate: 'unknown' },
] as const;
export type DeathAt = (typeof DEATHS)[number]['at'];
