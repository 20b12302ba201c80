import { readNumber } from '#domain/inputs/number-text';
import { asObject } from '#domain/json';

/** One level as given: price in USD and size in shares. */
type GivenLevel = readonly [price: string, size: string];

/** A book of one outcome, as a caller has it: levels in decimal text, in any order. */
export interface GivenBook {
  readonly bids: readonly GivenLevel[];
  readonly asks: readonly GivenLevel[];
  /** As the venue writes them beside its books; null: not given. */
  readonly tickSize: string | null;
  readonly minOrderSize: string | null;
  readonly negRisk: boolean | null;
  readonly tokenId: string | null;
  /** It came in a form of Kalshi. */
  readonly isOfKalshi?: true;
}

/** What could be read, or what is wrong with it in words for the caller. */
export type ReadBook =
  | { readonly kind: 'book'; readonly book: GivenBook }
  | { readonly kind: 'bad'; readonly why: string };

export const LEVELS_MAX = 1_000;
const PRICE_DECIMALS = 4;
const SIZE_DECIMALS = 6;
/** More than any market has, and exact in micro-shares. */
const SIZE_MAX = 1e9;
export const MIN_ORDER_SHARES_MAX = 1e6;
const FORMS =
  'bids and asks as [price, size] or {"price", "size"}, the answer of GET /book of the venue, or {"orderbook_fp": {"yes_dollars", "no_dollars"}} of Kalshi';

/**
 * Reads a book in any of the forms that callers have: rows, objects, the REST answer of Polymarket
 * (whose other fields are taken), or the public order book of Kalshi, which has the bids of both
 * outcomes: an ask of Yes is a bid of No at the rest of a dollar. (docs.kalshi.com, "Orderbook
 * Responses"; recordings from before March 2026 have cents, as `orderbook`.)
 */
export function readBook(raw: unknown): ReadBook {
  const given = asObject(raw);
  if (given === null) return bad(`book must be an object: ${FORMS}`);
  const kalshi = KALSHI_FORMS.find(([name]) => given[name] !== undefined);
  if (kalshi !== undefined) return readKalshi(given, kalshi[0], kalshi[1]);
  if (!Array.isArray(given.bids) || !Array.isArray(given.asks)) return bad(`book needs bids and asks: ${FORMS}`);
  const [bids, asks] = [readSide('bids', given.bids), readSide('asks', given.asks)];
  if (typeof bids === 'string') return bad(bids);
  if (typeof asks === 'string') return bad(asks);
  const fault =
    stepFault(given.tick_size) ??
    termFault('min_order_size', given.min_order_size, 0, MIN_ORDER_SHARES_MAX) ??
    flagFault('neg_risk', given.neg_risk);
  if (fault !== null) return bad(fault);
  return {
    kind: 'book',
    book: {
      bids,
      asks,
      tickSize: termText(given.tick_size),
      minOrderSize: termText(given.min_order_size),
      negRisk: (given.neg_risk as boolean | null | undefined) ?? null,
      tokenId: typeof given.asset_id === 'string' ? given.asset_id : null,
    },
  };
}

/** `name` is what the caller calls the side. */
function readSide(name: string, rows: readonly unknown[]): readonly GivenLevel[] | string {
  if (rows.length > LEVELS_MAX) return `book.${name} has ${rows.length} levels: send the best ${LEVELS_MAX}`;
  const levels: GivenLevel[] = [];
  const prices = new Set<number>();
  for (const [n, row] of rows.entries()) {
    const [price, size] = Array.isArray(row) ? row : [asObject(row)?.price, asObject(row)?.size];
    const [priceText, sizeText] = [decimalOf(price, PRICE_DECIMALS), decimalOf(size, SIZE_DECIMALS)];
    if (priceText === null || sizeText === null) {
      return `book.${name}[${n}] must be a price of at most ${PRICE_DECIMALS} decimals and a size of at most ${SIZE_DECIMALS}`;
    }
    const [p, s] = [Number(priceText), Number(sizeText)];
    if (p <= 0 || p >= 1) return `book.${name}[${n}] has the price ${priceText}: it must be above 0 and below 1`;
    if (s <= 0 || s > SIZE_MAX)
      return `book.${name}[${n}] has the size ${sizeText}: it must be above 0, at most ${SIZE_MAX}`;
    if (prices.has(p)) return `book.${name} has the price ${priceText} twice: add up its sizes`;
    prices.add(p);
    levels.push([priceText, sizeText]);
  }
  return levels;
}

/** Returns what is wrong with a term of the market, given as a number or as text; null: nothing, or it is not given. */
function termFault(name: string, value: unknown, min: number, max: number): string | null {
  if (value === undefined || value === null) return null;
  const number = numberOf(value);
  const isWithin = number !== null && number >= min && number <= max;
  return isWithin ? null : `${name} of the book must be a number from ${min} to ${max}`;
}

function stepFault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const step = numberOf(value);
  return step !== null && step > 0 && step < 1 ? null : 'tick_size of the book must be a price step, such as 0.01';
}

function flagFault(name: string, value: unknown): string | null {
  const isFlag = value === undefined || value === null || typeof value === 'boolean';
  return isFlag ? null : `${name} of the book must be true or false`;
}

/** Nothing else is turned into text: what a caller calls its text may be anything. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? readNumber(value) : null;
}

function termText(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** Returns a number or the text of one as plain decimal text, or null. */
function decimalOf(value: unknown, decimals: number): string | null {
  const number = numberOf(value);
  if (number === null || !Number.isFinite(number)) return null;
  const text = number.toFixed(decimals);
  return Math.abs(Number(text) - number) <= Math.abs(number) * Number.EPSILON ? text : null;
}

/** How a form of Kalshi writes prices: where its bids are, and what a dollar is in its unit. */
interface KalshiUnit {
  readonly sides: readonly [yes: string, no: string];
  readonly perDollar: number;
  readonly decimals: number;
  readonly row: string;
  /** The price step that follows from the unit; null: it differs between markets. */
  readonly tickSize: string | null;
}

const CENTS: KalshiUnit = {
  sides: ['yes', 'no'],
  perDollar: 100,
  decimals: 0,
  row: '[cents, contracts]',
  tickSize: '0.01',
};
const DOLLARS: KalshiUnit = {
  sides: ['yes_dollars', 'no_dollars'],
  perDollar: 1,
  decimals: PRICE_DECIMALS,
  row: '[dollars, contracts]',
  tickSize: null,
};

/** The newer one first: for some time the venue sent both. */
const KALSHI_FORMS = [
  ['orderbook_fp', DOLLARS],
  ['orderbook', CENTS],
] as const;

function readKalshi(outer: Readonly<Record<string, unknown>>, name: string, unit: KalshiUnit): ReadBook {
  if (outer.bids != null || outer.asks != null) return bad(`book has ${name} beside bids or asks: send one of them`);
  const given = asObject(outer[name]);
  const [yes, no] = unit.sides.map((side) => inDollars(given?.[side], unit));
  if (!yes || !no) {
    return bad(
      `book.${name} needs ${unit.sides.join(' and ')}, lists of ${unit.row} with prices between 0 and 1 dollar`,
    );
  }
  const [yesName, noName] = unit.sides;
  const [bids, against] = [readSide(`${name}.${yesName}`, yes), readSide(`${name}.${noName}`, no)];
  if (typeof bids === 'string') return bad(bids);
  if (typeof against === 'string') return bad(against);
  const asks = against.map(([price, size]) => [(1 - Number(price)).toFixed(PRICE_DECIMALS), size] as const);
  return {
    kind: 'book',
    book: { bids, asks, tickSize: unit.tickSize, minOrderSize: null, negRisk: null, tokenId: null, isOfKalshi: true },
  };
}

/** Returns the bids of one outcome in dollars, or null if they are no such list. A side without any is null there. */
function inDollars(rows: unknown, { perDollar, decimals }: KalshiUnit): readonly unknown[] | null {
  if (rows === null) return [];
  if (!Array.isArray(rows)) return null;
  const bids = rows.map((row: unknown) => {
    const [price, size] = Array.isArray(row) ? row : [];
    const text = decimalOf(price, decimals);
    if (text === null || Number(text) <= 0 || Number(text) >= perDollar) return null;
    return [Number(text) / perDollar, size];
  });
  return bids.includes(null) ? null : bids;
}

function bad(why: string): ReadBook {
  return { kind: 'bad', why };
}
