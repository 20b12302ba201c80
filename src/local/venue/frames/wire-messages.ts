import type { TokenId } from '#domain/ids';
import type { Side } from '#domain/market';

/**
 * The messages of the market channel, field for field as the venue writes them (every number a
 * string).
 */

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

export interface TickSizeFrame {
  readonly market: string;
  readonly asset_id: string;
  readonly old_tick_size: string;
  readonly new_tick_size: string;
  readonly timestamp: string;
  readonly event_type: 'tick_size_change';
}

export interface BestBidAskFrame {
  readonly market: string;
  readonly asset_id: string;
  readonly best_bid: string;
  readonly best_ask: string;
  readonly spread: string;
  readonly timestamp: string;
  readonly event_type: 'best_bid_ask';
}

export interface EventMessage {
  readonly id: string;
  readonly ticker: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
}

export interface MarketResolvedFrame {
  readonly event_type: 'market_resolved';
  readonly id: string;
  readonly market: string;
  readonly assets_ids: readonly TokenId[];
  readonly winning_asset_id: TokenId;
  readonly winning_outcome: string;
  readonly event_message: EventMessage;
  readonly timestamp: string;
  readonly tags: readonly string[];
}

export interface NewMarketFrame {
  readonly event_type: 'new_market';
  readonly id: string;
  readonly question: string;
  readonly market: string;
  readonly slug: string;
  readonly description: string;
  readonly assets_ids: readonly TokenId[];
  readonly outcomes: readonly string[];
  readonly event_message: EventMessage;
  readonly timestamp: string;
  readonly tags: readonly string[];
  readonly condition_id: string;
  readonly active: boolean;
  readonly clob_token_ids: readonly TokenId[];
  readonly sports_market_type: string;
  readonly line: string;
  readonly game_start_time: string;
  readonly order_price_min_tick_size: string;
  readonly group_item_title: string;
  readonly taker_base_fee: string;
  readonly fees_enabled: boolean;
  readonly fee_schedule: FeeScheduleJson | null;
}

/** A fee curve as Gamma and `new_market` show it. */
export interface FeeScheduleJson {
  readonly exponent: number;
  readonly rate: number;
  readonly takerOnly: boolean;
  readonly rebateRate: number;
}

export type ChannelFrame =
  | BookFrame
  | PriceChangeFrame
  | LastTradeFrame
  | TickSizeFrame
  | BestBidAskFrame
  | NewMarketFrame
  | MarketResolvedFrame;
