import { areOtherMarkets, type ConditionId, type TokenId } from '../ids.js';
import { CLOCKS_APART_MS_MAX } from '../time.js';
import type { MarketEvent, MarketFrame, StreamedBook } from './book.js';
import type { BookTable } from './book-table.js';
import type { ApplyResult, OrderBook } from './order-book.js';

/** What became of the frames so far. Bad ones are counted and never thrown. */
export interface FrameCounters {
  frames: number;
  /** Events that were not in the venue's formats. */
  bad: number;
  applied: number;
  /** Changes of tokens that we do not hold, such as the mirror of the one we do. */
  foreign: number;
  /** Changes that came before the snapshot they belong to. */
  unsynced: number;
  outOfOrder: number;
  /** Events that REST had shown already. */
  superseded: number;
  /** Events of kinds that we do not use. */
  ignored: number;
  /**
   * Frames with changes of levels that were read off their bytes, and those that had to be parsed.
   */
  scanned: number;
  parsed: number;
}

export function newFrameCounters(): FrameCounters {
  return {
    frames: 0,
    bad: 0,
    applied: 0,
    foreign: 0,
    unsynced: 0,
    outOfOrder: 0,
    superseded: 0,
    ignored: 0,
    scanned: 0,
    parsed: 0,
  };
}

/**
 * What one frame did: the books it was about, and the markets that it reported as resolved. One
 * that was about no book of ours says nothing of whether the channel still carries them.
 */
export interface FrameOutcome {
  readonly touched: readonly TokenId[];
  readonly resolved: readonly ConditionId[];
}

/** An event is late if the venue wrote it longer ago than clocks that agree may be apart. */
export const LATE_MS = CLOCKS_APART_MS_MAX;
/** What the venue writes further ahead than this is no time in milliseconds. */
export const FUTURE_MS = 60_000;

/**
 * Turns frames into changes of the books of a table, and counts what it does. It never throws on
 * what a venue sends.
 */
export class FrameApplier {
  readonly counters = newFrameCounters();
  readonly #table: BookTable;
  readonly #wallMs: () => number | null;
  /** At the frame that is being applied; null: nobody tells. */
  #wallNowMs: number | null = null;
  #touched: TokenId[] = [];
  #resolved: ConditionId[] = [];

  /** `wallMs`: what time it is, by which an event is late; absent: each is of when it came. */
  constructor(table: BookTable, wallMs: () => number | null = () => null) {
    this.#table = table;
    this.#wallMs = wallMs;
  }

  /** Applies one frame. `nowMs` is our elapsed time. */
  apply({ events, badCount, isScanned = false }: MarketFrame, nowMs: number): FrameOutcome {
    this.counters.frames++;
    if (isScanned) this.counters.scanned++;
    else if (events.some(({ kind }) => kind === 'price_change')) this.counters.parsed++;
    this.counters.bad += badCount;
    if (badCount > 0) this.#doubtAll();
    this.#touched = [];
    this.#resolved = [];
    this.#wallNowMs = this.#wallMs();
    for (const event of events) this.#applyEvent(event, nowMs);
    return { touched: this.#touched, resolved: this.#resolved };
  }

  #applyEvent(event: MarketEvent, nowMs: number): void {
    switch (event.kind) {
      case 'price_change':
        this.#applyChanges(event, nowMs);
        break;
      case 'book':
        this.#withBook(event.snapshot.tokenId, (book) => this.#applyBook(book, event.snapshot, nowMs));
        break;
      case 'last_trade':
        this.#applyTrade(event);
        break;
      case 'tick_size':
        this.#withBook(event.tokenId, (book) => book.announceTickSize(event.tickSize));
        break;
      case 'best_bid_ask':
        this.#withBook(event.tokenId, (book) => confirmTop(book, event, this.#saidAtMs(event.timestampMs, nowMs)));
        break;
      case 'resolved':
        this.#resolve(event);
        break;
      case 'ignored':
        this.counters.ignored++;
    }
  }

  /** The first book after a subscription is of the last change, however long ago, and was asked for. */
  #applyBook(book: OrderBook, streamed: StreamedBook, nowMs: number): void {
    if (areOtherMarkets(streamed.conditionId, book.conditionId)) {
      this.counters.bad++;
      book.castDoubt('unreadable_frame', 'a later hash');
      return;
    }
    const timestampMs = this.#timeOf(streamed.timestampMs);
    const atMs = book.isHeardOf ? this.#saidAtMs(timestampMs, nowMs) : Math.min(nowMs, book.subscribedAtMs ?? nowMs);
    this.#count(
      book.applySnapshot(timestampMs === streamed.timestampMs ? streamed : { ...streamed, timestampMs }, atMs),
    );
  }

  #resolve({ conditionId, tokenIds }: Resolved): void {
    const named = tokenIds.map((tokenId) => this.#table.get(tokenId)?.conditionId);
    const found = [conditionId, ...named].filter((one) => one !== null && one !== undefined);
    this.#resolved.push(...new Set(found));
  }

  #applyChanges({ changes, timestampMs: writtenMs }: PriceChange, nowMs: number): void {
    const timestampMs = this.#timeOf(writtenMs);
    const saidAtMs = this.#saidAtMs(timestampMs, nowMs);
    for (const change of changes) {
      const book = this.#table.get(change.tokenId);
      if (book === undefined) {
        this.counters.foreign++;
        continue;
      }
      const result = timestampMs === null ? book.applyUntimed(change) : book.applyChange(change, timestampMs);
      this.#count(result);
      if (result === 'applied') book.confirm(saidAtMs);
      this.#touched.push(book.tokenId);
    }
  }

  /** A time that is still to come is none: it would be newer than all that follows. */
  #timeOf(timestampMs: number | null): number | null {
    if (timestampMs === null || this.#wallNowMs === null) return timestampMs;
    return timestampMs > this.#wallNowMs + FUTURE_MS ? null : timestampMs;
  }

  /** When the venue wrote an event, in our elapsed time: of a channel that is late, long before it came. */
  #saidAtMs(timestampMs: number | null, nowMs: number): number {
    if (timestampMs === null || this.#wallNowMs === null) return nowMs;
    const lateMs = this.#wallNowMs - timestampMs;
    return lateMs > LATE_MS ? nowMs - lateMs : nowMs;
  }

  /** A trade concerns the books of both tokens. */
  #applyTrade(announced: LastTrade): void {
    const trade = { ...announced, timestampMs: this.#timeOf(announced.timestampMs) };
    for (const book of this.#table.ofMarket(trade.conditionId)) {
      book.announceTrade(trade);
      this.#touched.push(book.tokenId);
    }
  }

  /** What could not be read may have been a change of any book of this connection. */
  #doubtAll(): void {
    for (const book of this.#table.values()) book.castDoubt('unreadable_frame', 'a later hash');
  }

  #withBook(tokenId: TokenId, use: (book: OrderBook) => void): void {
    const book = this.#table.get(tokenId);
    if (book === undefined) {
      this.counters.foreign++;
      return;
    }
    use(book);
    this.#touched.push(tokenId);
  }

  #count(result: ApplyResult): void {
    if (result === 'out_of_order') this.counters.outOfOrder++;
    else this.counters[result]++;
  }
}

type PriceChange = Extract<MarketEvent, { kind: 'price_change' }>;
type LastTrade = Extract<MarketEvent, { kind: 'last_trade' }>;
type Resolved = Extract<MarketEvent, { kind: 'resolved' }>;
type BestBidAsk = Extract<MarketEvent, { kind: 'best_bid_ask' }>;

/** A top of book may overtake the change that caused it, so only agreement means something. */
function confirmTop(book: OrderBook, { bestBidTicks, bestAskTicks, timestampMs }: BestBidAsk, saidAtMs: number): void {
  const agrees = book.bids.bestTicks === bestBidTicks && book.asks.bestTicks === bestAskTicks;
  const isCurrent = timestampMs === null || timestampMs >= book.timestampMs;
  if (agrees && isCurrent && book.synced) book.confirmTop(saidAtMs);
}
