import type { BookAnswer, BookSnapshot, IsHeld } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import type { Market, VenueEvent } from '#domain/market';

/**
 * What the venue lists. Closed markets are found too. null: the venue answered and does not know
 * it. Every method rejects with an OutsideError where the venue could not be asked.
 */
export interface MarketCatalog {
  fetchMarketBySlug(slug: string): Promise<Market | null>;
  fetchEventBySlug(slug: string): Promise<VenueEvent | null>;
  fetchMarketByToken(tokenId: TokenId): Promise<Market | null>;
  /**
   * The open markets of any number of tokens, in few questions, for nobody who waits. One that is
   * closed, or of which the lists do not say all, is left out: it is to be asked for by itself.
   */
  fetchMarketsByTokens(tokenIds: readonly TokenId[]): Promise<readonly Market[]>;
}

/**
 * Who a call to an upstream is for: a caller, who has paid or has credits and waits for it, or
 * nobody who waits. Callers go first.
 */
export type CallClass = 'caller' | 'background';

/** Books by REST: the second witness beside the market channel. Rejects with an OutsideError. */
export interface BookSource {
  /** null: the venue has no book for this token (resolved, proposed or unknown). */
  fetchBook(tokenId: TokenId, callClass: CallClass): Promise<BookSnapshot | null>;
  /**
   * Any number of tokens, for nobody who waits; those without a book are absent from the map. Of a
   * book that `isHeld` says is held, in the moment in which the answer is read, nothing but its
   * proof is read.
   */
  fetchBooks(tokenIds: readonly TokenId[], isHeld?: IsHeld): Promise<ReadonlyMap<TokenId, BookAnswer>>;
}

/** When an upstream last answered and how it stands, for /status.json. */
export interface UpstreamHealth {
  readonly name: string;
  /** null: not asked since the start. */
  readonly ok: boolean | null;
  readonly lastOkAtMs: number | null;
  readonly lastError: string | null;
}

/** What can be asked whether it is well. */
export interface Upstream {
  health(): UpstreamHealth;
  /** Asks for something small; `health` shows what came of it. Never rejects. */
  probe(): Promise<void>;
}
