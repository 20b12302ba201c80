import { z } from 'zod';
import type { BookSnapshot, Level, StreamedBook } from '#domain/book/book';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId, toConditionId } from '#domain/ids';

/**
 * One whole USD in ticks: a share pays at most this, so a price lies strictly between 0 and this.
 */
export const PRICE_TICKS_LIMIT = 10_000;

/** The venue's clock: a string of milliseconds today, a number in older messages. */
export const TimestampSchema = z.union([z.string(), z.number()]);

const SideSchema = z.array(z.object({ price: z.string(), size: z.string() })).nullish();

/**
 * A whole book: REST `/book`, `/books` and the market channel's `book` event have one form.
 * `buys` and `sells` are the older names of the sides. Absent texts may come as "".
 */
export const BookSchema = z.object({
  market: z.string(),
  asset_id: z.string(),
  timestamp: TimestampSchema,
  hash: z.string().nullish(),
  bids: SideSchema,
  asks: SideSchema,
  buys: SideSchema,
  sells: SideSchema,
  min_order_size: z.string().nullish(),
  tick_size: z.string().nullish(),
  neg_risk: z.boolean().nullish(),
  last_trade_price: z.string().nullish(),
});

export type WireBook = z.infer<typeof BookSchema>;

/** The same from the market channel, which may leave out when the book last changed. */
export const StreamedBookSchema = BookSchema.extend({ timestamp: TimestampSchema.nullish() });

/**
 * Returns the book in our units, or null if a level, the token or the clock cannot be read.
 * One bad level spoils the book: a verdict on the rest of it would be a guess.
 */
export function toBookSnapshot(raw: WireBook): BookSnapshot | null {
  const timestampMs = parseTimestampMs(raw.timestamp);
  const book = toStreamedBook(raw);
  return book === null || timestampMs === null ? null : { ...book, timestampMs };
}

/** Returns the same of a book of the market channel. */
export function toStreamedBook(raw: z.infer<typeof StreamedBookSchema>): StreamedBook | null {
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
export function parseTimestampMs(raw: string | number): number | null {
  const value = raw === '' ? Number.NaN : Number(raw);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Returns the same of a clock that the venue may leave out: null, unlike one that cannot be read. */
export function optionalTimestampMs(raw: string | number | null | undefined): number | null | 'bad' {
  return raw === null || raw === undefined ? null : (parseTimestampMs(raw) ?? 'bad');
}

/**
 * A side that is null is empty; a side that is not there at all makes the book unreadable, not
 * empty.
 */
function toLevels(side: WireBook['bids']): readonly Level[] | null {
  if (side === undefined) return null;
  const levels: Level[] = [];
  for (const { price, size } of side ?? []) {
    const priceTicks = parsePriceTicks(price);
    const sizeMicros = parseSizeMicros(size);
    if (priceTicks === null || sizeMicros === null) return null;
    if (priceTicks <= 0 || priceTicks >= PRICE_TICKS_LIMIT) return null;
    if (sizeMicros > 0) levels.push({ priceTicks, sizeMicros });
  }
  return levels;
}
