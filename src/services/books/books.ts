import { Subject, type Subscription } from 'rxjs';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { Clock } from '#ports/clock';
import type { Log } from '#ports/log';
import type { Random } from '#ports/random';
import type { BookSource } from '#ports/venue';
import { ageMs, checkHash, reconfirmations$ } from '#streams/freshness';
import type { ConnectTextSocket } from '#streams/market-socket';
import { conflate } from '#streams/operators';
import { HotSet } from '#streams/subscriptions';
import { Feed, type FeedReport } from './feed.js';
import { Reconfirmer } from './reconfirmer.js';

/** Most tokens that are kept fresh at once; the top 1,000 markets are 92 % of the venue's volume. */
export const HOT_TOKENS_MAX = 4_000;
export const HOT_LINGER_MS = 10 * 60_000;
const HOT_SWEEP_MS = 5_000;
/** A book older than this is re-confirmed before it is judged, or half the caller's own limit where that is less. */
export const CONFIRM_AFTER_MS = 5_000;
/** Books are looked at this often for their hash and for a second witness. */
const HASH_CHECK_MS = 250;
const RECONFIRM_EVERY_MS = 1_000;
/** A book that is strange, or that no socket feeds, is asked of REST at most so often: what it told just now stands. */
const WITNESS_VALID_MS = 1_000;
/** A change that the market channel still owes us after this long is lost, not late. */
export const MISSED_CHANGE_MS = 3_000;

export interface BooksDeps {
  readonly connect: ConnectTextSocket;
  readonly source: BookSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onResolved?: (conditionId: ConditionId) => void;
}

/** A book as it stands, with its age. The book goes on changing: read it at once, without waiting in between. */
export interface FreshBook {
  readonly book: OrderBook;
  readonly ageMs: number;
}

/** How the books stand, for /status.json. Ages in milliseconds. */
export interface BooksReport {
  readonly held: number;
  readonly oldestAgeMs: number | null;
  readonly medianAgeMs: number | null;
  readonly hashes: { readonly agreed: number; readonly differed: number };
  readonly feed: FeedReport;
}

/**
 * Keeps the books that somebody asks for fresh: the market channel feeds them, their hashes prove them, REST re-confirms
 * what has been quiet or is in doubt. What nobody asks for any more is let go.
 */
export class Books {
  readonly #books = new Map<TokenId, OrderBook>();
  readonly #hot = new HotSet({ tokensMax: HOT_TOKENS_MAX, lingerMs: HOT_LINGER_MS, sweepMs: HOT_SWEEP_MS });
  readonly #touched = new Subject<readonly TokenId[]>();
  readonly #hashSuspects = new Set<TokenId>();
  readonly #hashes = { agreed: 0, differed: 0 };
  readonly #feed: Feed;
  readonly #reconfirmer: Reconfirmer;
  readonly #subscriptions: Subscription;

  constructor(private readonly deps: BooksDeps) {
    this.#reconfirmer = new Reconfirmer(deps);
    this.#feed = new Feed({
      ...deps,
      onOutcome: ({ touched, resolved }) => {
        if (touched.length > 0) this.#touched.next(touched);
        for (const conditionId of resolved) deps.onResolved?.(conditionId);
      },
    });
    this.#subscriptions = this.#hot.changes$.subscribe(({ removed }) => {
      for (const tokenId of removed) this.#close(tokenId);
    });
    this.#subscriptions.add(
      this.#touched.pipe(conflate(HASH_CHECK_MS)).subscribe((tokenIds) => {
        for (const tokenId of tokenIds) this.#verify(tokenId);
      }),
    );
    this.#subscriptions.add(
      reconfirmations$(
        () => this.#wantingConfirmation(),
        (tokenIds) => this.#reconfirmInBackground(tokenIds),
        RECONFIRM_EVERY_MS,
      ).subscribe(),
    );
  }

  /**
   * Returns the book of a token of a known market, as fresh as it can be had. Where the venue cannot be reached the book
   * comes with its true age; null where there never was one.
   */
  async getBook(tokenId: TokenId, conditionId: ConditionId, maxAgeMs: number): Promise<FreshBook | null> {
    const release = this.#hot.acquire(tokenId);
    try {
      const book = this.#open(tokenId, conditionId, release !== null);
      if (this.#needsConfirmation(book, Math.min(CONFIRM_AFTER_MS, maxAgeMs / 2))) await this.#reconfirm(book);
      const age = ageMs(book, this.deps.clock.nowMs());
      return age === null ? null : { book, ageMs: age };
    } finally {
      release?.();
    }
  }

  report(): BooksReport {
    const nowMs = this.deps.clock.nowMs();
    const ages = [...this.#books.values()].map((book) => ageMs(book, nowMs)).filter((age) => age !== null);
    ages.sort((a, b) => a - b);
    return {
      held: this.#books.size,
      oldestAgeMs: ages.at(-1) ?? null,
      medianAgeMs: ages[Math.floor(ages.length / 2)] ?? null,
      hashes: { ...this.#hashes },
      feed: this.#feed.report(),
    };
  }

  stop(): void {
    this.#subscriptions.unsubscribe();
    this.#hot.stop();
    this.#feed.stop();
  }

  /** A book outside the hot set lives for one request: REST alone can confirm it. */
  #open(tokenId: TokenId, conditionId: ConditionId, hot: boolean): OrderBook {
    const known = this.#books.get(tokenId);
    if (known !== undefined) return known;
    const book = new OrderBook(tokenId, conditionId);
    if (!hot) return book;
    this.#books.set(tokenId, book);
    this.#feed.add(book);
    return book;
  }

  #close(tokenId: TokenId): void {
    this.#books.delete(tokenId);
    this.#hashSuspects.delete(tokenId);
    this.#feed.remove(tokenId);
  }

  #needsConfirmation(book: OrderBook, limitMs: number): boolean {
    const nowMs = this.deps.clock.nowMs();
    const age = ageMs(book, nowMs);
    if (age === null || age > limitMs || book.doubt !== null) return true;
    const witnessed = book.version === book.witnessedVersion && nowMs - book.witnessedAtMs < WITNESS_VALID_MS;
    return !witnessed && (book.isSuspicious || !book.synced);
  }

  async #reconfirm(book: OrderBook): Promise<void> {
    await this.#reconfirmer.reconfirm(book);
    this.#settle(book);
  }

  async #reconfirmInBackground(tokenIds: readonly TokenId[]): Promise<void> {
    const books = tokenIds.map((id) => this.#books.get(id)).filter((book) => book !== undefined);
    await this.#reconfirmer.reconfirmAll(books);
    for (const book of books) this.#settle(book);
  }

  /** What a second witness told may concern the feed: a book that is gone, or a change that never came. */
  #settle(book: OrderBook): void {
    if (!book.listed) this.#hot.drop(book.tokenId);
    const missedMs = book.missedSinceMs === null ? 0 : this.deps.clock.nowMs() - book.missedSinceMs;
    if (missedMs < MISSED_CHANGE_MS) return;
    book.missedSinceMs = null;
    this.#feed.suspectFreeze(book.tokenId);
  }

  #wantingConfirmation(): readonly TokenId[] {
    const wanted: TokenId[] = [];
    for (const book of this.#books.values())
      if (this.#needsConfirmation(book, CONFIRM_AFTER_MS)) wanted.push(book.tokenId);
    return wanted;
  }

  #verify(tokenId: TokenId): void {
    const book = this.#books.get(tokenId);
    if (book === undefined || book.doubt !== null) return;
    const check = checkHash(book);
    const suspected = this.#hashSuspects.delete(tokenId);
    if (check === 'agrees') this.#hashes.agreed++;
    if (check !== 'differs') return;
    if (suspected) {
      this.#hashes.differed++;
      book.doubt = 'hash';
    } else {
      // The hash of a batch fits only after its last frame, which may be on its way: look once more.
      this.#hashSuspects.add(tokenId);
      this.#touched.next([tokenId]);
    }
  }
}
