import type { DemoEventData, DemoEventName } from '#api/demo/demo-events';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import type { BookState } from '#streams/book-events';
import type { Clock } from '#system/clock';
import type { Books } from '../books/books.js';
import { toDemoBook, toDemoStatus } from './demo-body.js';

/** The limit that a verdict has unless its caller names another. */
const STALE_AFTER_MS = DEFAULT_THRESHOLDS.bookStaleVetoS * 1e3;
/** A venue that gives no book for so long has none for now; before, it is on its way. */
const NO_BOOK_AFTER_MS = 3_000;
/** How often it is looked whether the market has closed. */
const MARKET_LOOK_MS = 1_000;
/** Where the venue says that it has no book, it is asked again after this. */
const UNLISTED_REST_MS = 5_000;

export interface BookSnapshotsDeps {
  readonly tokenId: TokenId;
  /** As the market is known by now. */
  readonly market: () => Market;
  readonly books: Pick<Books, 'watch'>;
  readonly clock: Clock;
  readonly nextSequence: () => number;
}

/**
 * One look at a book; what is told of it is made once, and the same bytes go to all who are told.
 */
export interface DemoSnapshot extends BookState {
  bytes(event: DemoEventName): Buffer;
}

/** What was new at the last look. */
interface Seen {
  readonly book: OrderBook;
  readonly version: number;
  readonly confirmedAtMs: number | null;
  readonly doubt: OrderBook['doubt'];
  readonly isTrusted: boolean;
  readonly market: Market;
}

/**
 * Looks at one book again and again, with the age that a verdict would have: time since the venue
 * last confirmed it. A venue that stands still makes it stale without a word.
 */
export class BookSnapshots {
  readonly #deps: BookSnapshotsDeps;
  #market: Market;
  #marketSeenAtMs: number;
  #bookAtMs: number;
  #seen: Seen | null = null;
  #revision = 0;

  constructor(deps: BookSnapshotsDeps) {
    this.#deps = deps;
    this.#market = deps.market();
    this.#marketSeenAtMs = deps.clock.elapsedMs();
    this.#bookAtMs = this.#marketSeenAtMs;
  }

  look(): DemoSnapshot {
    const nowMs = this.#deps.clock.elapsedMs();
    if (nowMs - this.#marketSeenAtMs >= MARKET_LOOK_MS) {
      this.#market = this.#deps.market();
      this.#marketSeenAtMs = nowMs;
    }
    const market = this.#market;
    const book = this.#bookAt(nowMs);
    const ageMs = book?.ageMs(nowMs) ?? null;
    if (book !== null) {
      this.#bookAtMs = nowMs;
      this.#notice(book);
    }
    const isStale = ageMs === null ? nowMs - this.#bookAtMs > NO_BOOK_AFTER_MS : ageMs > STALE_AFTER_MS;
    const state = { revision: book === null ? null : this.#revision, isStale, isClosed: market.status.closed };
    return this.#written(state, book, ageMs);
  }

  /**
   * A book that the venue does not have is dropped as soon as that is known: it is kept here until
   * it is time to ask again.
   */
  #bookAt(nowMs: number): OrderBook | null {
    const existing = this.#seen?.book;
    if (existing?.listed === false && (existing.ageMs(nowMs) ?? 0) < UNLISTED_REST_MS) return existing;
    return this.#deps.books.watch(this.#deps.tokenId, this.#market.conditionId)?.book ?? null;
  }

  #notice(book: OrderBook): void {
    const { version, confirmedAtMs, doubt, isSuspicious } = book;
    const seen = { book, version, confirmedAtMs, doubt, isTrusted: !isSuspicious, market: this.#market };
    if (this.#seen !== null && isSame(this.#seen, seen)) return;
    this.#seen = seen;
    this.#revision++;
  }

  #written(state: BookState, book: OrderBook | null, ageMs: number | null): DemoSnapshot {
    const made = new Map<DemoEventName, Buffer>();
    const make = (event: DemoEventName) => {
      const data = JSON.stringify(this.#data(event, book, ageMs));
      const bytes = Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
      made.set(event, bytes);
      return bytes;
    };
    return { ...state, bytes: (event) => made.get(event) ?? make(event) };
  }

  #data(event: DemoEventName, book: OrderBook | null, ageMs: number | null): DemoEventData<DemoEventName> {
    const { tokenId, clock, nextSequence } = this.#deps;
    const heading = { sequence: nextSequence(), server_time_ms: Math.round(clock.nowMs()), token_id: tokenId };
    const status = { market_status: toDemoStatus(this.#market) };
    switch (event) {
      case 'book':
        return { ...heading, book: toDemoBook(book!, ageMs!), ...status };
      case 'stale':
        return { ...heading, age_ms: ageMs, limit_ms: STALE_AFTER_MS };
      case 'closed':
        return { ...heading, ...status };
    }
  }
}

/** A market is looked up anew all the time: what counts is what is told of it. */
function isSame(a: Seen, b: Seen): boolean {
  return (
    a.book === b.book &&
    a.version === b.version &&
    a.confirmedAtMs === b.confirmedAtMs &&
    a.doubt === b.doubt &&
    a.isTrusted === b.isTrusted &&
    (a.market === b.market || isSameStatus(a.market.status, b.market.status))
  );
}

function isSameStatus(a: Market['status'], b: Market['status']): boolean {
  return (
    a.active === b.active &&
    a.closed === b.closed &&
    a.acceptingOrders === b.acceptingOrders &&
    a.orderBookEnabled === b.orderBookEnabled &&
    a.umaResolutionStatus === b.umaResolutionStatus
  );
}
