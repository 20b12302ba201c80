import type { Level } from '#domain/book/book';
import type { Side } from '#domain/market';
import { type BookView, bestAskText, bestBidText, hashOf, priceText, sizeText } from '../market/book-view.js';
import type {
  BestBidAskFrame,
  BookFrame,
  ChannelFrame,
  PriceChangeEntry,
  TickSizeFrame,
  WireLevel,
} from './wire-messages.js';

export type * from './wire-messages.js';

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
export function tickSizeFrame(view: BookView, oldTickSize: string): TickSizeFrame {
  return {
    market: view.conditionId,
    asset_id: view.tokenId,
    old_tick_size: oldTickSize,
    new_tick_size: view.tickSize,
    timestamp: String(view.timestampMs),
    event_type: 'tick_size_change',
  };
}

/** Returns the top of a token's book as its own message (a custom feature of the channel). */
export function bestBidAskFrame(view: BookView): BestBidAskFrame {
  const bid = view.bidsAscending.at(-1)?.priceTicks ?? 0;
  const ask = view.asksDescending.at(-1)?.priceTicks ?? 10_000;
  return {
    market: view.conditionId,
    asset_id: view.tokenId,
    best_bid: bestBidText(view),
    best_ask: bestAskText(view),
    spread: priceText(Math.max(0, ask - bid)),
    timestamp: String(view.timestampMs),
    event_type: 'best_bid_ask',
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
      return frame.price_changes.map((entry) => entry.asset_id);
    case 'new_market':
    case 'market_resolved':
      return null;
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
