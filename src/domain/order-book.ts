import type { BookHashFields, BookSnapshot, LevelChange } from './book.js';
import type { ConditionId, TokenId } from './ids.js';
import { Ladder } from './ladder.js';
import type { CrossedBook } from './order-facts.js';

/**
 * Why a book must be compared with REST before it is trusted again. All but `hash` also mean that events no longer confirm
 * it: something was missed. The venue's hash has known blind spots around trades, so a mismatch alone never ages a book.
 */
export type Doubt = 'out_of_order' | 'trade_without_book' | 'tick_size' | 'top_of_book' | 'hash';

export type ApplyResult = 'applied' | 'unsynced' | 'out_of_order';

/** The book of one token as we hold it, with what is known of its truth. */
export class OrderBook {
  readonly bids = new Ladder('bids');
  readonly asks = new Ladder('asks');
  /** The venue's clock at the last change. */
  timestampMs = 0;
  /** Our clock when the venue last confirmed this book; null while it never did. This is what book age is measured from. */
  confirmedAtMs: number | null = null;
  /** Hash that the venue sent with the last change; null where none came. */
  expectedHash: string | null = null;
  /** Whether deltas may be applied: a snapshot came since the connection was made. */
  synced = false;
  /** False after the venue answered that it has no book for this token. */
  listed = true;
  doubt: Doubt | null = null;
  /** Counts changes, so that others can tell whether the book moved while they waited. */
  version = 0;
  conditionId: ConditionId | null = null;
  hashFields: BookHashFields = { minOrderSize: null, tickSize: null, negRisk: null, lastTradePrice: null };

  constructor(readonly tokenId: TokenId) {}

  /** Replaces the book by a snapshot of the market channel. One that is older than what we hold casts doubt instead. */
  applySnapshot(snapshot: BookSnapshot, nowMs: number): ApplyResult {
    if (this.synced && snapshot.timestampMs < this.timestampMs) return this.#outOfOrder();
    this.#load(snapshot, nowMs);
    this.synced = true;
    return 'applied';
  }

  /**
   * Compares with a book that REST told. A younger one replaces ours; one of the same time replaces and confirms it;
   * an older one (a late answer) says nothing. Returns whether ours turned out to be wrong, for the feed to know.
   */
  reconcile(snapshot: BookSnapshot, nowMs: number): 'older' | 'confirmed' | 'corrected' {
    if (this.confirmedAtMs !== null && this.listed && snapshot.timestampMs < this.timestampMs) return 'older';
    const same = this.confirmedAtMs !== null && this.#hasLevelsOf(snapshot);
    this.#load(snapshot, nowMs);
    return same ? 'confirmed' : 'corrected';
  }

  /** Applies one level change of the market channel. The caller applies all changes of a frame, then calls `confirm`. */
  applyChange(change: LevelChange, timestampMs: number): ApplyResult {
    if (!this.synced) return 'unsynced';
    if (timestampMs < this.timestampMs) return this.#outOfOrder();
    const side = change.side === 'BUY' ? this.bids : this.asks;
    if (side.set(change.priceTicks, change.sizeMicros)) this.version++;
    this.timestampMs = timestampMs;
    this.expectedHash = change.hash;
    return 'applied';
  }

  /** The venue spoke about this book and we agree with it. A book in doubt stays unconfirmed. */
  confirm(nowMs: number): void {
    if (this.doubt === null || this.doubt === 'hash') this.confirmedAtMs = nowMs;
  }

  /** The venue answered that there is no book: an answer as good as a book. */
  markUnlisted(nowMs: number): void {
    this.bids.replace([]);
    this.asks.replace([]);
    this.listed = false;
    this.synced = false;
    this.doubt = null;
    this.confirmedAtMs = nowMs;
    this.version++;
  }

  /** Best bid at or above best ask: a trade was seen whose book has not come yet, or something is wrong. */
  get crossed(): CrossedBook | null {
    const bid = this.bids.bestTicks;
    const ask = this.asks.bestTicks;
    return bid !== null && ask !== null && bid >= ask ? { bestBid: bid / 1e4, bestAsk: ask / 1e4 } : null;
  }

  #outOfOrder(): ApplyResult {
    this.doubt = 'out_of_order';
    return 'out_of_order';
  }

  #load(snapshot: BookSnapshot, nowMs: number): void {
    this.bids.replace(snapshot.bids);
    this.asks.replace(snapshot.asks);
    this.conditionId = snapshot.conditionId;
    this.timestampMs = snapshot.timestampMs;
    this.expectedHash = snapshot.hash;
    this.hashFields = {
      minOrderSize: snapshot.minOrderSize ?? this.hashFields.minOrderSize,
      tickSize: snapshot.tickSize ?? this.hashFields.tickSize,
      negRisk: snapshot.negRisk ?? this.hashFields.negRisk,
      lastTradePrice: snapshot.lastTradePrice ?? this.hashFields.lastTradePrice,
    };
    this.listed = true;
    this.doubt = null;
    this.confirmedAtMs = nowMs;
    this.version++;
  }

  #hasLevelsOf(snapshot: BookSnapshot): boolean {
    const told = new OrderBook(this.tokenId);
    told.bids.replace(snapshot.bids);
    told.asks.replace(snapshot.asks);
    return sameLevels(this.bids, told.bids) && sameLevels(this.asks, told.asks);
  }
}

function sameLevels(a: Ladder, b: Ladder): boolean {
  if (a.length !== b.length) return false;
  for (let depth = 0; depth < a.length; depth++) {
    if (a.ticksAt(depth) !== b.ticksAt(depth) || a.sizeAt(depth) !== b.sizeAt(depth)) return false;
  }
  return true;
}
