import { z } from 'zod';
import type { BookSnapshot, Level, StreamedBook } from '#domain/book/book';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId, toConditionId } from '#domain/ids';
import { asObject } from '#domain/json';
import { bookHash } from './book-hash.js';
import { FlagSchema, TextSchema } from './venue-values.js';

/**
 * One whole USD in ticks: a share pays at most this, so a price lies strictly between 0 and this.
 */
export const PRICE_TICKS_LIMIT = 10_000;

/** The venue's clock: a string of milliseconds today, a number in older messages. */
export const TimestampSchema = z.union([z.string(), z.number()]);

/**
 * A whole book: REST `/book`, `/books` and the market channel's `book` event have one form, but
 * that the channel may leave out when the book last changed. `buys` and `sells` are the older names
 * of the sides. Absent texts may come as "".
 */
function bookSchema<Text extends z.ZodType<string>, Flag extends z.ZodType<boolean | null>>(text: Text, flag: Flag) {
  const side = z.array(z.object({ price: text, size: text })).nullish();
  return z.object({
    market: z.string(),
    asset_id: text,
    timestamp: TimestampSchema.nullish(),
    hash: z.string().nullish(),
    bids: side,
    asks: side,
    buys: side,
    sells: side,
    min_order_size: text.nullish(),
    tick_size: text.nullish(),
    neg_risk: flag.nullish(),
    last_trade_price: text.nullish(),
  });
}

/** As the venue writes nearly all books; and with numbers where a text is usual. */
const UsualBookSchema = bookSchema(z.string(), z.boolean());
const BookSchema = bookSchema(TextSchema, FlagSchema);

type WireBook = z.infer<typeof UsualBookSchema>;

/** Returns a book of REST in our units, or null if a level, the token or the clock cannot be read. */
export function parseBookSnapshot(raw: unknown): BookSnapshot | null {
  const book = parseStreamedBook(raw);
  return book !== null && isTimed(book) ? book : null;
}

function isTimed(book: StreamedBook): book is BookSnapshot {
  return book.timestampMs !== null;
}

function hasNullSide(raw: unknown): boolean {
  const { bids, asks, buys, sells } = asObject(raw) ?? {};
  return [bids, asks, buys, sells].includes(null);
}

function isProven(snapshot: BookSnapshot): boolean {
  const bidsAscending = snapshot.bids.toSorted((a, b) => a.priceTicks - b.priceTicks);
  const asksDescending = snapshot.asks.toSorted((a, b) => b.priceTicks - a.priceTicks);
  return snapshot.hash !== null && bookHash({ ...snapshot, bidsAscending, asksDescending }) === snapshot.hash;
}

/**
 * Returns the same of a book of the market channel. A side that is null is empty if the hash of the
 * book says so, and lost if it does not. The usual form is tried alone first: two for each level
 * take twice as long.
 */
export function parseStreamedBook(raw: unknown): StreamedBook | null {
  const usual = UsualBookSchema.safeParse(raw);
  const parsed = usual.success ? usual : BookSchema.safeParse(raw);
  const book = parsed.success ? toStreamedBook(parsed.data) : null;
  return book !== null && hasNullSide(raw) && !(isTimed(book) && isProven(book)) ? null : book;
}

/** One bad level spoils the book: a verdict on the rest of it would be a guess. */
function toStreamedBook(raw: WireBook): StreamedBook | null {
  const tokenId = parseTokenId(raw.asset_id);
  const timestampMs = optionalTimestampMs(raw.timestamp);
  const bids = toLevels(raw.bids === undefined ? raw.buys : raw.bids);
  const asks = toLevels(raw.asks === undefined ? raw.sells : raw.asks);
  if (tokenId === null || timestampMs === 'bad' || bids === null || asks === null) return null;
  return {
    tokenId,
    conditionId: toConditionId(raw.market),
    bids,
    asks,
    timestampMs,
    hash: textOrNull(raw.hash),
    minOrderSize: textOrNull(raw.min_order_size),
    tickSize: textOrNull(raw.tick_size),
    negRisk: raw.neg_risk ?? null,
    // Here "" is given, not absent: this market has never traded, and the book hash covers the
    // empty text.
    lastTradePrice: raw.last_trade_price ?? null,
  };
}

/** Returns the text, or null if the venue left it out or empty. */
export function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text;
}

/** Returns the venue's clock in milliseconds, or null if it is not a whole number of them. */
function parseTimestampMs(raw: string | number): number | null {
  const value = raw === '' ? Number.NaN : Number(raw);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Returns the same of a clock that the venue may leave out: null, unlike one that cannot be read. */
export function optionalTimestampMs(raw: string | number | null | undefined): number | null | 'bad' {
  return raw === null || raw === undefined ? null : (parseTimestampMs(raw) ?? 'bad');
}

/**
 * A side that is null is empty; a side that is not there at all makes the book unreadable, not
 * empty, and so does one with a price twice: which of its sizes counts, or both, is unknown.
 */
function toLevels(side: WireBook['bids']): readonly Level[] | null {
  if (side === undefined) return null;
  const levels: Level[] = [];
  const prices = new Set<number>();
  for (const { price, size } of side ?? []) {
    const priceTicks = parsePriceTicks(price);
    const sizeMicros = parseSizeMicros(size);
    if (priceTicks === null || sizeMicros === null) return null;
    if (priceTicks <= 0 || priceTicks >= PRICE_TICKS_LIMIT || prices.has(priceTicks)) return null;
    prices.add(priceTicks);
    if (sizeMicros > 0) levels.push({ priceTicks, sizeMicros });
  }
  return levels;
}
