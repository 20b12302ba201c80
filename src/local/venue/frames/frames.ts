import type { Level } from '#domain/book/book';
import type { Side } from '#domain/market';
import { type BookView, bestAskText, bestBidText, hashOf, priceText, sizeText } from '../market/book-view.js';
import type { marketResolvedFrame, newMarketFrame } from './listing-frames.js';

// The messages of the market channel, field for field as the venue writes them (every number a
// string).

export interface WireLevel {
  readonly price: string;
  readonly size: string;
}

export interface BookFrame {
  readonly market: string;
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  /** The initial dump alone carries these two. */
  readonly tick_size?: string;
  readonly event_type: 'book';
  readonly last_trade_price?: string;
}

export interface PriceChangeEntry {
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly side: Side;
  readonly hash: string;
  readonly best_bid: string;
  readonly best_ask: string;
}

export interface PriceChangeFrame {
  readonly market: string;
  readonly price_changes: readonly PriceChangeEntry[];
  readonly timestamp: string;
  readonly event_type: 'price_change';
}

/** What a trade took, as changes: sent as `price_change` where a fault says so, else not at all. */
type TradeChangesFrame = Omit<PriceChangeFrame, 'event_type'> & { readonly event_type: 'trade_changes' };

export interface LastTradeFrame {
  readonly market: string;
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly fee_rate_bps: string;
  /** The taker's side. */
  readonly side: Side;
  readonly timestamp: string;
  readonly event_type: 'last_trade_price';
  readonly transaction_hash: string;
}

export type ChannelFrame =
  | BookFrame
  | PriceChangeFrame
  | TradeChangesFrame
  | LastTradeFrame
  | ReturnType<typeof tickSizeFrame>
  | ReturnType<typeof bestBidAskFrame>
  | ReturnType<typeof newMarketFrame>
  | ReturnType<typeof marketResolvedFrame>;

/** Returns the `book` message of one token. `dump`: the form that answers a subscription. */
export function bookFrame(view: BookView, dump = false): BookFrame {
  const { conditionId, tokenId, timestampMs, bidsAscending, asksDescending } = view;
  return {
    market: conditionId,
    asset_id: tokenId,
    timestamp: String(timestampMs),
    hash: hashOf(view),
    bids: bidsAscending.map(wireLevel),
    asks: asksDescending.map(wireLevel),
    ...(dump ? { tick_size: view.tickSize } : {}),
    event_type: 'book',
    ...(dump ? { last_trade_price: view.lastTradePrice } : {}),
  };
}

export function wireLevel(level: Level): WireLevel {
  return { price: priceText(level.priceTicks), size: sizeText(level.sizeMicros) };
}

/** Returns one changed level of one token, with the top of that token's book as it now is. */
export function priceChangeEntry(view: BookView, side: Side, level: Level, hash: string): PriceChangeEntry {
  return {
    asset_id: view.tokenId,
    ...wireLevel(level),
    side,
    hash,
    best_bid: bestBidText(view),
    best_ask: bestAskText(view),
  };
}

/** Returns the message that a market's price step has changed, for one token. */
export function tickSizeFrame(view: BookView, oldTickSize: string) {
  return {
    market: view.conditionId,
    asset_id: view.tokenId,
    old_tick_size: oldTickSize,
    new_tick_size: view.tickSize,
    timestamp: String(view.timestampMs),
    event_type: 'tick_size_change' as const,
  };
}

/** Returns the top of a token's book as its own message (a custom feature of the channel). */
export function bestBidAskFrame(view: BookView) {
  const bid = view.bidsAscending.at(-1)?.priceTicks ?? 0;
  const ask = view.asksDescending.at(-1)?.priceTicks ?? 10_000;
  return {
    market: view.conditionId,
    asset_id: view.tokenId,
    best_bid: bestBidText(view),
    best_ask: bestAskText(view),
    spread: priceText(Math.max(0, ask - bid)),
    timestamp: String(view.timestampMs),
    event_type: 'best_bid_ask' as const,
  };
}

/** Returns the other side: what is a bid for one outcome is an ask for its complement. */
export function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

/** Tokens that a message speaks of; null if it is for everyone who asked for custom features. */
export function tokensOf(frame: ChannelFrame): readonly string[] | null {
  switch (frame.event_type) {
    case 'price_change':
    case 'trade_changes':
      return frame.price_changes.map((entry) => entry.asset_id);
    case 'new_market':
      return null;
    case 'market_resolved':
      return frame.assets_ids;
    default:
      return [frame.asset_id];
  }
}

/** Whether a message is sent only to those who asked for custom features. */
export function isCustomFeature(frame: ChannelFrame): boolean {
  return (
    frame.event_type === 'best_bid_ask' || frame.event_type === 'new_market' || frame.event_type === 'market_resolved'
  );
}
