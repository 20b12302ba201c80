import type { MarketEvent, MarketFrame } from '#domain/book/book';
import { parsePriceTicks } from '#domain/decimal';
import { parseTokenId, type TokenId, toConditionId } from '#domain/ids';
import { parseJson } from '#domain/json';
import { optionalTimestampMs, PRICE_TICKS_LIMIT, parseStreamedBook, textOrNull } from './book-snapshot.js';
import { BestBidAskSchema, LastTradeSchema, ResolvedSchema, TickSizeSchema } from './market-channel-schemas.js';
import { parsePriceChange } from './price-change.js';
import { PriceChangeScanner } from './scan-price-change.js';

/**
 * The venue drops a connection that is silent for about ten seconds; the answer to PING is PONG.
 * Neither is JSON.
 */
export const PING = 'PING';
export const PONG = 'PONG';

const PONG_BYTES = Buffer.from(PONG, 'latin1');
/**
 * A line in words, such as INVALID OPERATION: no JSON, and no part of one. The venue mixes some
 * into the stream, and they say nothing of a book.
 */
const PLAIN_LINE = /^[^{}[\]"\p{C}]{1,200}$/u;
const EVENT_TYPE_LENGTH_MAX = 40;
const NOTHING: MarketFrame = { events: [], badCount: 0 };
const UNREADABLE: MarketFrame = { events: [], badCount: 1 };

/**
 * Returns the events of one text frame of the market channel: an object, or an array of them (first
 * dump and bursts). Never throws: a frame or event that cannot be read is counted, and the other
 * events of the frame survive.
 */
export function parseMarketFrame(text: string): MarketFrame {
  if (text === PONG) return NOTHING;
  const raw = parseJson(text);
  if (raw === undefined && PLAIN_LINE.test(text)) return plainLine(text);
  if (!Array.isArray(raw)) {
    const event = parseEvent(raw);
    return event === null ? UNREADABLE : { events: [event], badCount: 0 };
  }
  const events = raw.map(parseEvent).filter((event) => event !== null);
  return { events, badCount: raw.length - events.length };
}

/**
 * Whether a connection was closed because all its tokens are over: the venue says so with code
 * 1000, and may have sent no `market_resolved` before.
 */
export function isAllResolved(closeReason: string): boolean {
  return /all subscribed assets resolved/i.test(closeReason);
}

/** Whether a frame is the answer to PING. */
export function isPong(bytes: Buffer): boolean {
  // Nearly all frames are longer, and a call into the runtime for each would cost.
  return bytes.length === PONG_BYTES.length && PONG_BYTES.equals(bytes);
}

/**
 * Returns a reader of the frames of one connection, which gives of each what `parseMarketFrame`
 * gives of its text.
 */
export function marketFrameReader(): (bytes: Buffer) => MarketFrame {
  const scanner = new PriceChangeScanner();
  return (bytes) => scanner.scan(bytes) ?? parseMarketFrame(bytes.toString('utf8'));
}

/**
 * Returns the message that asks for books and changes of these tokens; `first` is the form right
 * after opening.
 */
export function subscribeMessage(tokens: readonly TokenId[], first: boolean): string {
  // Without initial_dump some get no books at first, and without custom_feature_enabled nobody gets
  // market_resolved or best_bid_ask.
  const wanted = { initial_dump: true, custom_feature_enabled: true };
  if (first) return JSON.stringify({ assets_ids: tokens, type: 'market', level: 2, ...wanted });
  return JSON.stringify({ operation: 'subscribe', assets_ids: tokens, ...wanted });
}

/** Returns the message after which the venue sends nothing more of these tokens. */
export function unsubscribeMessage(tokens: readonly TokenId[]): string {
  return JSON.stringify({ operation: 'unsubscribe', assets_ids: tokens });
}

function plainLine(text: string): MarketFrame {
  return { events: [{ kind: 'ignored', eventType: text.slice(0, EVENT_TYPE_LENGTH_MAX) }], badCount: 0 };
}

function parseEvent(raw: unknown): MarketEvent | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
  const { event_type: type } = raw as { event_type?: unknown };
  switch (type) {
    case 'price_change':
      return parsePriceChange(raw);
    case 'book':
      return parseBook(raw);
    case 'last_trade_price':
      return parseLastTrade(raw);
    case 'tick_size_change':
      return parseTickSize(raw);
    case 'best_bid_ask':
      return parseBestBidAsk(raw);
    case 'market_resolved':
      return parseResolved(raw);
    case undefined:
    case null:
    case '':
      return parseUntyped(raw);
    default:
      return {
        kind: 'ignored',
        eventType: typeof type === 'string' ? type.slice(0, EVENT_TYPE_LENGTH_MAX) : typeof type,
      };
  }
}

/**
 * Some recordings lack the type. To lose a change or a book silently would leave a wrong book
 * behind.
 */
function parseUntyped(raw: object): MarketEvent | null {
  if ('price_changes' in raw || 'changes' in raw) return parsePriceChange(raw);
  const hasSide = ['bids', 'asks', 'buys', 'sells'].some((side) => side in raw);
  return hasSide ? parseBook(raw) : { kind: 'ignored', eventType: '' };
}

function parseBook(raw: object): MarketEvent | null {
  const snapshot = parseStreamedBook(raw);
  return snapshot && { kind: 'book', snapshot };
}

function parseLastTrade(raw: object): MarketEvent | null {
  const parsed = LastTradeSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { market, asset_id, price, timestamp, size, transaction_hash } = parsed.data;
  const tokenId = parseTokenId(asset_id);
  const timestampMs = optionalTimestampMs(timestamp);
  if (tokenId === null || timestampMs === 'bad' || parsePriceTicks(price) === null) return null;
  const id = JSON.stringify([asset_id, price, size, timestamp, transaction_hash]);
  return { kind: 'last_trade', tokenId, conditionId: toConditionId(market), price, timestampMs, id };
}

function parseTickSize(raw: object): MarketEvent | null {
  const parsed = TickSizeSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { asset_id, new_tick_size: tickSize } = parsed.data;
  const tokenId = parseTokenId(asset_id);
  if (tokenId === null || parsePriceTicks(tickSize) === null) return null;
  return { kind: 'tick_size', tokenId, tickSize };
}

function parseBestBidAsk(raw: object): MarketEvent | null {
  const parsed = BestBidAskSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { asset_id, best_bid, best_ask, timestamp } = parsed.data;
  const tokenId = parseTokenId(asset_id);
  const timestampMs = optionalTimestampMs(timestamp);
  const bid = parseBest(best_bid);
  const ask = parseBest(best_ask);
  if (tokenId === null || timestampMs === 'bad' || bid === 'bad' || ask === 'bad') return null;
  return { kind: 'best_bid_ask', tokenId, bestBidTicks: bid, bestAskTicks: ask, timestampMs };
}

/** The venue writes an empty side as bid "0" or ask "1", or leaves it "". */
function parseBest(text: string | null | undefined): number | null | 'bad' {
  const received = textOrNull(text);
  if (received === null) return null;
  const ticks = parsePriceTicks(received);
  if (ticks === null || ticks > PRICE_TICKS_LIMIT) return 'bad';
  return ticks === 0 || ticks === PRICE_TICKS_LIMIT ? null : ticks;
}

function parseResolved(raw: object): MarketEvent | null {
  const parsed = ResolvedSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { market, assets_ids: assets } = parsed.data;
  const tokenIds = (assets ?? []).map(parseTokenId).filter((tokenId) => tokenId !== null);
  const conditionId = market ? toConditionId(market) : null;
  return conditionId === null && tokenIds.length === 0 ? null : { kind: 'resolved', conditionId, tokenIds };
}
