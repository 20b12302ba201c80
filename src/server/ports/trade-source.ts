import type { WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { WalletName } from './tape.js';

/** A page of the venue's trades. */
export interface TradePage {
  readonly fills: readonly Fill[];
  readonly names: readonly WalletName[];
  /** Rows that are no trades. */
  readonly skipped: number;
  /** Rows that may be trades and cannot be read: what the page stands for has a hole. */
  readonly unreadable: number;
  /** The seconds of those among them of a kind that nobody knows: the holes are these alone. */
  readonly unknownS?: readonly number[];
  /** Whether no row of the page was on the page before: its cursor was no count of rows. */
  readonly isSeamless?: boolean;
  /** Where the next page starts; null: nothing is left. Opaque. */
  readonly next: string | null;
}

/** Trades of the venue by REST, maker fills included. Every method rejects with an OutsideError. */
export interface TradeSource {
  /**
   * One wallet's trades, newest first, `fromS` to `toS` (both inclusive, seconds), in pages of at
   * most `rows` if that is given.
   */
  fetchWalletTrades(
    wallet: WalletAddress,
    range: { fromS: number; toS: number; rows?: number },
    cursor: string | null,
  ): Promise<TradePage>;
  /** One market's trades, newest first. */
  fetchMarketTrades(
    condition: string,
    range: { fromS: number; toS: number },
    cursor: string | null,
  ): Promise<TradePage>;
  /** Everybody's trades, newest first, as far back as the venue goes. */
  fetchTrades(cursor: string | null): Promise<TradePage>;
  /** Whether the wallet ever traded. */
  hasTraded(wallet: WalletAddress): Promise<boolean>;
}

/** What the venue says of markets now. */
export interface MarketsReport {
  /** By condition. Those that the venue does not know are absent. */
  readonly found: ReadonlyMap<string, TapeMarket>;
  /**
   * Markets about which a question failed, or two answers contradict each other, and why: what is
   * found of them is not the whole truth.
   */
  readonly unasked: ReadonlyMap<string, string>;
}

/** Markets as ratings need them. Rejects with an OutsideError. */
export interface MarketFacts {
  fetchMarketFacts(conditions: readonly string[]): Promise<MarketsReport>;
}
