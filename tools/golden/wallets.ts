import { FROZEN_MS } from './frozen-clock.js';

const DAY_S = 86_400;
const NOW_S = Math.floor(FROZEN_MS / 1_000);

/** One fill in a market of its own that is settled an hour later. */
interface GoldenFill {
  readonly wallet: string;
  readonly market: number;
  readonly won: boolean;
  readonly timeS: number;
  readonly price: number;
}

const wallet = (digits: string) => `0x${digits.repeat(20)}`;

/** Wallets by what the venue and the board know of them. */
export const WALLETS = {
  skilled: wallet('a1'),
  loser: wallet('b2'),
  middling: wallet('c3'),
  unseen: wallet('d4'),
  unseenLoser: wallet('d5'),
  few: wallet('e5'),
  neverTraded: wallet('f6'),
  unreachable: wallet('07'),
  /** The venue keeps their trades back until it is released. */
  held1: wallet('81'),
  held2: wallet('82'),
  held3: wallet('83'),
  held4: wallet('84'),
};

/** Wallets whose trades are on the imported tape; the others are asked for at the venue. */
const ON_TAPE = [WALLETS.skilled, WALLETS.loser, WALLETS.middling];

const fillsOf = (of: string, from: number, entries: number, wonOf: (n: number) => boolean, price: number) =>
  Array.from(
    { length: entries },
    (_, n): GoldenFill => ({
      wallet: of,
      market: from + n,
      won: wonOf(n),
      timeS: NOW_S - 2 * DAY_S - Math.floor((n * 86 * DAY_S) / entries),
      price,
    }),
  );

const FILLS: readonly GoldenFill[] = [
  // The tape has to begin before the 90 days that are rated.
  { wallet: WALLETS.skilled, market: 9_999, won: true, timeS: NOW_S - 120 * DAY_S, price: 0.48 },
  ...fillsOf(WALLETS.skilled, 10_000, 240, (n) => n % 5 < 4, 0.48),
  ...fillsOf(WALLETS.loser, 20_000, 240, (n) => n % 5 === 0, 0.52),
  ...fillsOf(WALLETS.middling, 30_000, 60, (n) => n % 2 === 0, 0.41),
  ...fillsOf(WALLETS.unseen, 40_000, 120, (n) => n % 7 < 5, 0.5),
  ...fillsOf(WALLETS.unseenLoser, 45_000, 150, (n) => n % 6 === 0, 0.5),
  ...[WALLETS.held1, WALLETS.held2, WALLETS.held3, WALLETS.held4].flatMap((held, n) =>
    fillsOf(held, 60_000 + n * 1_000, 12 + n, () => n % 2 === 0, 0.4),
  ),
  ...fillsOf(WALLETS.few, 50_000, 3, () => true, 0.3),
];

const BY_MARKET = new Map(FILLS.map((fill) => [fill.market, fill]));

const hex64 = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const tokenOf = ({ market }: GoldenFill) => String(9_000_000 + market * 2);

/**
 * Returns a page of the Data API's second version: all trades of a wallet in a span, newest first.
 */
export function tradesPage(query: URLSearchParams): object {
  const [start, end] = [Number(query.get('start') ?? 0), Number(query.get('end') ?? 1e12)];
  const rows = FILLS.filter((fill) => fill.wallet === query.get('user') && fill.timeS >= start && fill.timeS <= end);
  return { data: rows.map(toRow), pagination: { limit: 1_000, offset: 0, has_more: false, next_cursor: null } };
}

function toRow(fill: GoldenFill): object {
  return {
    proxy_wallet: fill.wallet,
    side: 'BUY',
    token_id: tokenOf(fill),
    condition_id: hex64(fill.market),
    size: 40,
    price: fill.price,
    timestamp: fill.timeS,
    event_slug: `golden-night-${fill.market}`,
    outcome_index: 0,
    name: `golden ${fill.wallet.slice(2, 4)}`,
    pseudonym: '',
    transaction_hash: hex64(fill.market + 1),
  };
}

/** Returns the closed markets of conditions as Gamma lists them. */
export function marketsOfConditions(conditions: readonly string[]): readonly object[] {
  return conditions.flatMap((condition) => {
    const fill = BY_MARKET.get(Number(condition));
    return fill === undefined ? [] : [toGamma(fill)];
  });
}

function toGamma(fill: GoldenFill): object {
  const ended = new Date((fill.timeS + 3_600) * 1_000).toISOString();
  return {
    conditionId: hex64(fill.market),
    slug: `golden-night-${fill.market}`,
    events: [{ slug: `golden-night-${fill.market}` }],
    outcomes: '["Yes", "No"]',
    clobTokenIds: JSON.stringify([tokenOf(fill), String(Number(tokenOf(fill)) + 1)]),
    outcomePrices: fill.won ? '["1", "0"]' : '["0", "1"]',
    closed: true,
    closedTime: ended,
    endDate: ended,
    tags: [{ slug: 'sports' }],
    feesEnabled: true,
    feeType: 'sports_fees',
    feeSchedule: { rate: 0.03, exponent: 1 },
  };
}

/** Returns the answer of `/v2/resolutions` by condition. */
export function resolutionsOf(conditions: readonly string[]): object {
  const data = conditions.flatMap((condition) => {
    const fill = BY_MARKET.get(Number(condition));
    if (fill === undefined) return [];
    const payouts = fill.won ? [1_000_000, 0] : [0, 1_000_000];
    const resolvedAt = new Date((fill.timeS + 3_600) * 1_000).toISOString();
    return [{ condition_id: condition, status: 'resolved', payouts, resolved_at: resolvedAt }];
  });
  return { data };
}

/** The tape of the wallets that the board rates, as `preflightctl tape import` takes it. */
export function tapeCsv(): { readonly fills: string; readonly markets: string } {
  const fills = FILLS.filter(({ wallet: of }) => ON_TAPE.includes(of));
  return {
    fills: lines('wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx', fills, (fill) => [
      fill.wallet,
      tokenOf(fill),
      hex64(fill.market),
      `golden-night-${fill.market}`,
      0,
      'BUY',
      40,
      fill.price,
      fill.timeS,
      hex64(fill.market + 1),
    ]),
    markets: lines('condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1', fills, (fill) => [
      hex64(fill.market),
      'sports',
      0.03,
      fill.timeS + 3_600,
      fill.timeS + 3_600,
      fill.won ? 1 : 0,
      fill.won ? 0 : 1,
    ]),
  };
}

function lines(head: string, fills: readonly GoldenFill[], cells: (fill: GoldenFill) => readonly unknown[]): string {
  return `${[head, ...fills.map((fill) => cells(fill).join(','))].join('\n')}\n`;
}
