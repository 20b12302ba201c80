import { interval, type Subscription } from 'rxjs';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { Log } from '#ports/log';
import type { BookSource } from '#ports/venue';
import { type CheckedBook, checkNow } from '#streams/hash-checks';
import { reconfirmations$ } from '#streams/reconfirmations';
import { steadyScheduler } from '#streams/steady-scheduler';
import { HotSet } from '#streams/subscriptions';
import type { ConnectTextSocket } from '#streams/text-socket';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import { clockSteps } from './clock-steps.js';
import { Feed, type FeedReport } from './feed.js';
import { Reconfirmer } from './reconfirmer.js';

/**
 * Most tokens that are kept fresh at once; the top 1,000 markets are 92 % of the venue's volume.
 */
const HOT_TOKENS_MAX = 4_000;
const HOT_LINGER_MS = 10 * 60_000;
const HOT_SWEEP_MS = 5_000;
/**
 * A book older than this is re-confirmed before it is judged, or half the caller's own limit if
 * that is less.
 */
const CONFIRM_AFTER_MS = 5_000;
/**
 * Books that are held are re-confirmed when they are as old as this, so that a caller who asks for
 * the usual age waits only where REST took longer than the difference, or failed.
 */
const CONFIRM_AHEAD_MS = 4_000;
/**
 * Books are looked at this often for those that need a second witness: of some thousand that are
 * held few at a time, because all other work waits while they are compared.
 */
const RECONFIRM_INTERVAL_MS = 250;
/**
 * REST is not asked again about the same book within this time for nobody who waits, whatever it
 * said or did not.
 */
const ASK_AGAIN_MS = 1_500;
/** The clocks are compared this often, and before and after each book that is handed out. */
const CLOCK_CHECK_MS = 1_000;
/**
 * A book that is strange, or that no socket feeds, is fetched from REST at most this often: what
 * REST just said stands.
 */
const WITNESS_VALID_MS = 1_000;
/** A change that the market channel still owes us after this long is lost, not late. */
const MISSED_CHANGE_MS = 3_000;

export interface BooksDeps {
  readonly connect: ConnectTextSocket;
  readonly source: BookSource;
  readonly clock: Clock;
  /** By which what the venue says is late; absent: by `clock`. */
  readonly time?: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly log: Log;
  readonly onResolved?: (conditionId: ConditionId) => void;
}

/**
 * A book as it stands, with its age. The book goes on changing: read it at once, without waiting in
 * between.
 */
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
 * Keeps the books that are in demand fresh: the market channel feeds them, their hashes prove them,
 * REST re-confirms what has been quiet or is in doubt. A book that has not been requested for a
 * while is dropped.
 */
export class Books {
  readonly #deps: BooksDeps;
  readonly #hot: HotSet<OrderBook>;
  readonly #hashes = { agreed: 0, differed: 0 };
  readonly #feed: Feed;
  readonly #reconfirmer: Reconfirmer;
  readonly #stepped: ReturnType<typeof clockSteps>;
  /** How often all books were dropped. */
  #drops = 0;
  readonly #subscriptions: Subscription;

  constructor(deps: BooksDeps) {
    this.#deps = deps;
    const scheduler = steadyScheduler(() => deps.clock.elapsedMs());
    this.#hot = new HotSet({ tokensMax: HOT_TOKENS_MAX, lingerMs: HOT_LINGER_MS, sweepMs: HOT_SWEEP_MS, scheduler });
    this.#stepped = clockSteps(deps.clock);
    const time = deps.time ?? deps.clock;
    this.#reconfirmer = new Reconfirmer({ ...deps, time });
    this.#feed = new Feed({
      ...deps,
      time,
      onResolved: (conditionId) => deps.onResolved?.(conditionId),
      onHashChecked: (checked) => this.#judgeHash(checked),
    });
    this.#subscriptions = this.#hot.changes$.subscribe(({ removed }) => {
      for (const tokenId of removed) this.#feed.remove(tokenId);
    });
    this.#subscriptions.add(
      reconfirmations$(
        () => this.#wantingConfirmation(),
        (tokenIds) => this.#reconfirmInBackground(tokenIds),
        RECONFIRM_INTERVAL_MS,
      ).subscribe(),
    );
    this.#subscriptions.add(interval(CLOCK_CHECK_MS).subscribe(() => this.#dropAfterStep()));
  }

  /**
   * Returns the book of a token of a known market, as fresh as it can be had. If the venue cannot
   * be reached the book comes with its true age; null if there never was one, or none since the
   * wall clock was set, or if it is in doubt.
   */
  async getBook(tokenId: TokenId, conditionId: ConditionId, maxAgeMs: number): Promise<FreshBook | null> {
    this.#dropAfterStep();
    // A book that was dropped while it was being confirmed is fetched once more.
    for (let tries = 0; tries < 2; tries++) {
      const drops = this.#drops;
      const fresh = await this.#freshBook(tokenId, conditionId, maxAgeMs);
      this.#dropAfterStep();
      if (drops === this.#drops) return fresh;
    }
    return null;
  }

  /** Returns what `getBook` would return without asking the venue; null if it would ask. */
  getCached(tokenId: TokenId, maxAgeMs: number): FreshBook | null {
    const nowMs = this.#deps.clock.elapsedMs();
    this.#dropAfterStep(nowMs);
    return heldBook(this.#hot.use(tokenId), confirmAfterMs(maxAgeMs), nowMs);
  }

  /**
   * Returns the book of a token of a known market that somebody goes on watching, and asks the
   * venue for nothing: it stays subscribed for a while from now on, and is confirmed in the
   * background as all books are that are held. null until the venue has confirmed it, and while
   * every place is taken.
   */
  watch(tokenId: TokenId, conditionId: ConditionId): FreshBook | null {
    this.#dropAfterStep();
    const release = this.#hot.acquire(tokenId);
    if (release === null) return null;
    const book = this.#open(tokenId, conditionId);
    release();
    return withAge(book, this.#deps.clock.elapsedMs());
  }

  /** Whether `getBook`, begun at once, would ask the venue for nothing. */
  isCached(tokenId: TokenId, maxAgeMs: number): boolean {
    const book = this.#hot.peek(tokenId);
    return book !== undefined && !needsConfirmation(book, confirmAfterMs(maxAgeMs), this.#deps.clock.elapsedMs());
  }

  /** Tokens whose books `peek` returns now. None is kept any longer by it. */
  freshTokens(): readonly TokenId[] {
    const nowMs = this.#deps.clock.elapsedMs();
    const tokens: TokenId[] = [];
    for (const book of this.#hot.attached()) {
      if (!needsConfirmation(book, CONFIRM_AFTER_MS, nowMs)) tokens.push(book.tokenId);
    }
    return tokens;
  }

  /**
   * Returns what a caller with the usual limits would be judged on without the venue being asked;
   * null: it would be asked. The book is kept no longer by it.
   */
  peek(tokenId: TokenId): FreshBook | null {
    const nowMs = this.#deps.clock.elapsedMs();
    this.#dropAfterStep(nowMs);
    return heldBook(this.#hot.peek(tokenId), CONFIRM_AFTER_MS, nowMs);
  }

  async #freshBook(tokenId: TokenId, conditionId: ConditionId, maxAgeMs: number): Promise<FreshBook | null> {
    const release = this.#hot.acquire(tokenId);
    try {
      const book = this.#open(tokenId, conditionId);
      const { clock } = this.#deps;
      if (needsConfirmation(book, confirmAfterMs(maxAgeMs), clock.elapsedMs())) {
        // REST may be behind a book that its own hash proves.
        if (book.synced && book.doubt !== null) checkNow(book);
        const hasFailed = await this.#reconfirm(book);
        // What REST said may be older than the doubt: it is asked once more.
        if (!hasFailed && book.isInDoubt) await this.#reconfirm(book);
        if (book.isInDoubt) return null;
      }
      return withAge(book, clock.elapsedMs());
    } finally {
      release?.();
    }
  }

  report(): BooksReport {
    const nowMs = this.#deps.clock.elapsedMs();
    const ages = [...this.#hot.attached()].map((book) => book.ageMs(nowMs)).filter((ageMs) => ageMs !== null);
    ages.sort((a, b) => a - b);
    return {
      held: this.#hot.size,
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

  /**
   * Drops every book when wall time was set: the machine may have slept, with all that the venue
   * said meanwhile lost and elapsed time standing still. The next request gets a book that was
   * fetched since.
   */
  #dropAfterStep(nowMs = this.#deps.clock.elapsedMs()): void {
    const steppedMs = this.#stepped(nowMs);
    if (steppedMs === null) return;
    this.#drops++;
    const books = this.#hot.size;
    this.#deps.log.warn({ steppedMs, books }, 'the wall clock was set: all books are dropped and fetched again');
    for (const { tokenId } of [...this.#hot.attached()]) this.#hot.drop(tokenId);
  }

  /** A book outside the hot set lives for one request: REST alone can confirm it. */
  #open(tokenId: TokenId, conditionId: ConditionId): OrderBook {
    const subscribed = this.#hot.keep(tokenId, () => {
      const book = new OrderBook(tokenId, conditionId);
      this.#feed.add(book);
      return book;
    });
    return subscribed ?? new OrderBook(tokenId, conditionId);
  }

  /** Resolves to whether the venue failed. */
  async #reconfirm(book: OrderBook): Promise<boolean> {
    const hasFailed = await this.#reconfirmer.reconfirm(book, 'caller');
    this.#settle(book);
    return hasFailed;
  }

  async #reconfirmInBackground(tokenIds: readonly TokenId[]): Promise<void> {
    const books = tokenIds.map((id) => this.#hot.peek(id)).filter((book) => book !== undefined);
    await this.#reconfirmer.reconfirmAll(books);
    for (const book of books) this.#settle(book);
  }

  /**
   * What a second witness said may concern the feed: a book that is gone, or a change that never
   * came.
   */
  #settle(book: OrderBook): void {
    if (!book.listed) this.#hot.drop(book.tokenId);
    const missedMs = book.missedSinceMs === null ? 0 : this.#deps.clock.elapsedMs() - book.missedSinceMs;
    if (missedMs < MISSED_CHANGE_MS) return;
    book.missedSinceMs = null;
    this.#feed.suspectFreeze(book.tokenId);
  }

  #wantingConfirmation(): readonly TokenId[] {
    const wanted: TokenId[] = [];
    const nowMs = this.#deps.clock.elapsedMs();
    for (const book of this.#hot.attached()) {
      if (nowMs - book.requestedAtMs < ASK_AGAIN_MS) continue;
      if (needsConfirmation(book, CONFIRM_AHEAD_MS, nowMs)) wanted.push(book.tokenId);
    }
    return wanted;
  }

  #judgeHash({ book, check }: CheckedBook): void {
    if (check === 'agrees') {
      this.#hashes.agreed++;
    } else {
      this.#hashes.differed++;
      book.castDoubt('hash', 'any hash');
    }
  }
}

/** Returns a book that is held if it may be judged as it is; null: the venue has to be asked. */
function heldBook(book: OrderBook | undefined, limitMs: number, nowMs: number): FreshBook | null {
  return book === undefined || needsConfirmation(book, limitMs, nowMs) ? null : withAge(book, nowMs);
}

function withAge(book: OrderBook, nowMs: number): FreshBook | null {
  const ageMs = book.ageMs(nowMs);
  return ageMs === null ? null : { book, ageMs };
}

function needsConfirmation(book: OrderBook, limitMs: number, nowMs: number): boolean {
  const ageMs = book.ageMs(nowMs);
  if (ageMs === null || ageMs > limitMs || book.doubt !== null) return true;
  if (book.synced && !book.isSuspicious) return false;
  const witnessed = book.version === book.witnessedVersion && nowMs - book.witnessedAtMs < WITNESS_VALID_MS;
  return !witnessed;
}

function confirmAfterMs(maxAgeMs: number): number {
  return Math.min(CONFIRM_AFTER_MS, maxAgeMs / 2);
}
