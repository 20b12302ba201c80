import type { ConditionId, TokenId } from '../ids.js';
import type { Side } from '../market.js';

/** One price level: integer 1e-4 USD ticks and integer micro-shares. */
export interface Level {
  readonly priceTicks: number;
  readonly sizeMicros: number;
}

/** A book whose two sides meet or overlap: its best prices, in USD. */
export interface CrossedBook {
  readonly bestBid: number;
  readonly bestAsk: number;
}

/**
 * At these prices the fee or a single tick is a large part of what can still be won. In 1e-4 USD
 * ticks.
 */
export const EXTREME_HIGH_TICKS = 9_700;
export const EXTREME_LOW_TICKS = 300;
/** What both tokens of a market are worth together. */
export const ONE_USD_TICKS = 10_000;

/**
 * The fields beside the levels that the venue's book hash covers, as the venue's own strings.
 * The market channel leaves most of them out; null means that the venue has not sent it.
 */
export interface BookHashFields {
  readonly minOrderSize: string | null;
  readonly tickSize: string | null;
  readonly negRisk: boolean | null;
  readonly lastTradePrice: string | null;
}

/**
 * By what the venue says which state of a book it means: the hash covers all of it, and when it
 * last changed.
 */
export interface BookProof {
  /** The venue's clock, when this book last changed. */
  readonly timestampMs: number;
  /** SHA-1 of the book in the venue's form, 40 hexadecimal digits in lower case. */
  readonly hash: string;
}

/**
 * A whole book of one token as the venue sent it, from the market channel or from REST. Levels may
 * be in any order.
 */
export interface BookSnapshot extends BookHashFields {
  readonly tokenId: TokenId;
  readonly conditionId: ConditionId;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** The venue's clock, when this book last changed. */
  readonly timestampMs: number;
  /** SHA-1 of the book in the venue's form, or null if the message carried none. */
  readonly hash: string | null;
}

/** A whole book as the market channel sends it: the venue may leave out when it last changed. */
export type StreamedBook = Omit<BookSnapshot, 'timestampMs'> & { readonly timestampMs: number | null };

/** What the market channel says about a trade. It comes up to half a second after its books. */
export interface TradeNews {
  /** As the venue wrote it, in terms of the token that was traded. */
  readonly price: string;
  readonly timestampMs: number | null;
  /** The same for the same announcement said again. */
  readonly id: string;
}

/** Whether the asker holds the book that the venue proves so. */
export type IsHeld = (tokenId: TokenId, proof: BookProof) => boolean;

/** What REST said about one of many books. */
export type BookAnswer =
  | { readonly kind: 'book'; readonly snapshot: BookSnapshot }
  | { readonly kind: 'as_held'; readonly proof: BookProof };

/** One level of one token has a new absolute size; 0 removes it. BUY is the bid side. */
export interface LevelChange extends Level {
  readonly tokenId: TokenId;
  readonly side: Side;
  /** Hash of the whole book after the last change of the same venue timestamp. */
  readonly hash: string | null;
}

/**
 * What the market channel reported, in our own words. The venue's clock is null where the venue
 * left it out, which it may.
 */
export type MarketEvent =
  | { readonly kind: 'book'; readonly snapshot: StreamedBook }
  | {
      readonly kind: 'price_change';
      readonly timestampMs: number | null;
      readonly changes: readonly LevelChange[];
    }
  | ({ readonly kind: 'last_trade'; readonly tokenId: TokenId; readonly conditionId: ConditionId } & TradeNews)
  | { readonly kind: 'tick_size'; readonly tokenId: TokenId; readonly tickSize: string }
  | {
      readonly kind: 'best_bid_ask';
      readonly tokenId: TokenId;
      /** null if that side is empty. */
      readonly bestBidTicks: number | null;
      readonly bestAskTicks: number | null;
      readonly timestampMs: number | null;
    }
  /** null where the venue names the market by its tokens alone. */
  | { readonly kind: 'resolved'; readonly conditionId: ConditionId | null; readonly tokenIds: readonly TokenId[] }
  | { readonly kind: 'ignored'; readonly eventType: string };

/**
 * What one frame held. `badCount` counts what could not be read: after one, the books of the
 * connection are in doubt.
 */
export interface MarketFrame {
  readonly events: readonly MarketEvent[];
  readonly badCount: number;
  /** true: its changes were read off the bytes; absent: by the parser of all frames. */
  readonly isScanned?: boolean;
}
