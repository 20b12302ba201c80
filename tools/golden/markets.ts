import { createHash } from 'node:crypto';
import { FROZEN_MS } from './frozen-clock.js';

type Level = readonly [price: number, size: number];

/** A market of the recorded venue; its tokens are `<number>1` and `<number>2`. */
export interface GoldenMarket {
  readonly number: number;
  readonly slug: string;
  readonly bids?: readonly Level[];
  readonly asks?: readonly Level[];
  /** What Gamma says of it beside or instead of the usual. */
  readonly gamma?: Readonly<Record<string, unknown>>;
  /** How old its book is, and whether the market channel sends it. */
  readonly bookAgeS?: number;
  readonly isSilent?: boolean;
  /** Status with which the CLOB answers for its book. */
  readonly bookStatus?: number;
}

const BIDS: readonly Level[] = [
  [0.48, 900],
  [0.47, 2_000],
  [0.45, 5_000],
];
const ASKS: readonly Level[] = [
  [0.5, 800],
  [0.51, 1_500],
  [0.55, 6_000],
];

const candidate = (number: number, name: string): GoldenMarket => ({
  number,
  slug: `golden-election-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
  gamma: { groupItemTitle: name, negRisk: true, question: `Will ${name} win the golden election?` },
});

export const MARKETS: readonly GoldenMarket[] = [
  { number: 11, slug: 'golden-simple' },
  { number: 12, slug: 'golden-thin', bids: [[0.3, 12]], asks: [[0.34, 9]] },
  { number: 13, slug: 'golden-free', gamma: { feesEnabled: false, feeSchedule: undefined } },
  { number: 14, slug: 'golden-told-by-clob', gamma: { feesEnabled: undefined, feeSchedule: undefined } },
  { number: 15, slug: 'golden-fee-unknown', gamma: { feesEnabled: undefined, feeSchedule: undefined } },
  { number: 16, slug: 'golden-closed', gamma: { closed: true, acceptingOrders: false } },
  { number: 17, slug: 'golden-no-orders', gamma: { acceptingOrders: false } },
  { number: 18, slug: 'golden-empty', bids: [], asks: [] },
  { number: 19, slug: 'golden-bids-only', asks: [] },
  { number: 20, slug: 'golden-stale', bookAgeS: 7_200, isSilent: true },
  { number: 21, slug: 'golden-crossed', bids: [[0.55, 100]], asks: [[0.5, 100]] },
  { number: 22, slug: 'golden-delayed', gamma: { secondsDelay: 3 } },
  { number: 23, slug: 'golden-proposed', gamma: { umaResolutionStatus: 'proposed' } },
  { number: 24, slug: 'golden-no-book', bookStatus: 404, isSilent: true },
  { number: 25, slug: 'golden-book-down', bookStatus: 503, isSilent: true },
  { number: 26, slug: 'golden-wide', bids: [[0.01, 5_000]], asks: [[0.99, 5_000]] },
  {
    number: 27,
    slug: 'golden-fine',
    bids: [[0.4811, 1_234.56]],
    asks: [
      [0.4823, 77.7],
      [0.4999, 10_000],
    ],
  },
  { number: 28, slug: 'golden-no-minimum', gamma: { orderMinSize: 500 } },
  { number: 29, slug: 'golden-no-order-book', gamma: { enableOrderBook: false } },
];

export const CANDIDATES: readonly GoldenMarket[] = [
  candidate(31, 'Alice Arden'),
  candidate(32, 'Alina Brook'),
  candidate(33, 'Bob Carver'),
  candidate(34, 'Zoë Dunn'),
];

export const ALL_MARKETS = [...MARKETS, ...CANDIDATES];

export const conditionOf = ({ number }: GoldenMarket) => `0x${'c'.repeat(60)}${String(number).padStart(4, '0')}`;
export const tokensOf = ({ number }: GoldenMarket): readonly [string, string] => [`${number}1`, `${number}2`];

/** Returns a market as Gamma lists it. */
export function toGamma(market: GoldenMarket): object {
  return {
    conditionId: conditionOf(market),
    slug: market.slug,
    question: `Is ${market.slug} as it was?`,
    outcomes: '["Yes", "No"]',
    clobTokenIds: JSON.stringify(tokensOf(market)),
    active: true,
    closed: false,
    acceptingOrders: true,
    enableOrderBook: true,
    orderMinSize: 5,
    feesEnabled: true,
    feeType: 'sports_fees',
    feeSchedule: { rate: 0.03, exponent: 1 },
    ...market.gamma,
  };
}

/**
 * Returns the book of a token in the venue's form, with the venue's hash; the second token's is the
 * first one's mirrored.
 */
export function bookOf(market: GoldenMarket, token: string): Record<string, unknown> {
  const isFirst = token === tokensOf(market)[0];
  const { bids = BIDS, asks = ASKS } = market;
  const mirrored = (levels: readonly Level[]) => levels.map(([price, size]): Level => [round(1 - price), size]);
  const book = {
    market: conditionOf(market),
    asset_id: token,
    timestamp: String(FROZEN_MS - (market.bookAgeS ?? 0) * 1_000),
    hash: '',
    bids: toLevels(isFirst ? bids : mirrored(asks)).sort((a, b) => Number(a.price) - Number(b.price)),
    asks: toLevels(isFirst ? asks : mirrored(bids)).sort((a, b) => Number(b.price) - Number(a.price)),
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: market.gamma?.negRisk === true,
    last_trade_price: '0.490',
  };
  return { ...book, hash: createHash('sha1').update(JSON.stringify(book)).digest('hex') };
}

const round = (price: number) => Math.round(price * 10_000) / 10_000;
const toLevels = (levels: readonly Level[]) =>
  levels.map(([price, size]) => ({ price: String(price), size: String(size) }));
