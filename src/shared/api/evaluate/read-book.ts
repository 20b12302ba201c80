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
const CENTS = 100;
const FORMS =
  'bids and asks as [price, size] or {"price", "size"}, the answer of GET /book of the venue, or {"orderbook": {"yes", "no"}} of Kalshi';

/**
 * Reads a book in any of the forms that callers have: rows, objects, the REST answer of Polymarket
 * (whose other fields are taken), or the public order book of Kalshi, which has the bids of both
 * outcomes in cents: an ask of Yes is a bid of No at the rest of a dollar.
 */
export function readBook(raw: unknown): ReadBook {
  const given = asObject(raw);
  if (given === null) return bad(`book must be an object: ${FORMS}`);
  const kalshi = asObject(given.orderbook);
  if (kalshi !== null) return readKalshi(kalshi);
  if (!Array.isArray(given.bids) || !Array.isArray(given.asks)) return bad(`book needs bids and asks: ${FORMS}`);
  const [bids, asks] = [readSide('bids', given.bids), readSide('asks', given.asks)];
  if (typeof bids === 'string') return bad(bids);
  if (typeof asks === 'string') return bad(asks);
  const text = (value: unknown) => (typeof value === 'string' && value.length <= CENTS ? value : null);
  return {
    kind: 'book',
    book: {
      bids,
      asks,
      tickSize: text(given.tick_size),
      minOrderSize: text(given.min_order_size),
      negRisk: typeof given.neg_risk === 'boolean' ? given.neg_risk : null,
      tokenId: text(given.asset_id),
    },
  };
}

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

/** Returns a number or the text of one as plain decimal text, or null. */
function decimalOf(value: unknown, decimals: number): string | null {
  const number = typeof value === 'string' ? readNumber(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  const text = number.toFixed(decimals);
  return Math.abs(Number(text) - number) <= Math.abs(number) * Number.EPSILON ? text : null;
}

function readKalshi({ yes, no }: Readonly<Record<string, unknown>>): ReadBook {
  const [bids, against] = [readCents('yes', yes ?? []), readCents('no', no ?? [])];
  if (typeof bids === 'string') return bad(bids);
  if (typeof against === 'string') return bad(against);
  const priced = (levels: readonly (readonly [number, number])[], priceOf: (cents: number) => number) =>
    levels.map(([cents, size]) => [(priceOf(cents) / CENTS).toFixed(PRICE_DECIMALS), size]);
  return readBook({
    bids: priced(bids, (cents) => cents),
    asks: priced(against, (cents) => CENTS - cents),
    tick_size: '0.01',
  });
}

function readCents(name: string, rows: unknown): readonly (readonly [number, number])[] | string {
  const form = `book.orderbook.${name} must be rows of [cents, contracts], the cents from 1 to 99`;
  if (!Array.isArray(rows)) return form;
  const levels: (readonly [number, number])[] = [];
  for (const row of rows.slice(0, LEVELS_MAX + 1)) {
    const [cents, contracts] = Array.isArray(row) ? row : [];
    if (!Number.isInteger(cents) || cents < 1 || cents >= CENTS || typeof contracts !== 'number') return form;
    levels.push([cents, contracts]);
  }
  return levels;
}

function bad(why: string): ReadBook {
  return { kind: 'bad', why };
}
