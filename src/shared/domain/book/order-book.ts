import type { ConditionId, TokenId } from '../ids.js';
import {
  type BookHashFields,
  type BookProof,
  type BookSnapshot,
  type CrossedBook,
  EXTREME_HIGH_TICKS,
  EXTREME_LOW_TICKS,
  type LevelChange,
  ONE_USD_TICKS,
  type StreamedBook,
  type TradeNews,
} from './book.js';
import { type ChangeMark, ChangesSince, type TimedChange } from './changes-since.js';
import { type Doubt, type DoubtAnswer, DoubtTerms } from './doubt.js';
import { HashProof } from './hash-proof.js';
import { crossedBook, Ladder } from './ladder.js';
import { LastTrade } from './last-trade.js';

/**
 * What became of an event of the market channel. `superseded`: REST had already shown a younger
 * book, which holds it. `unsynced`: it came before the snapshot it builds on.
 */
export type ApplyResult = 'applied' | 'superseded' | 'unsynced' | 'out_of_order';

/**
 * A question to REST about one book: when it was asked (our elapsed time), how much the channel had
 * said by then, and how often something had been missed.
 */
export interface RestQuestion {
  readonly requestedAtMs: number;
  readonly received: number;
  readonly misses: number;
  /** The venue's clock at the newest that was known of the book. */
  readonly newestMs: number;
  readonly mark: ChangeMark;
}

/**
 * What an answer of REST did. `forwarded`: it replaced a book in doubt, with the changes laid over
 * it that came meanwhile; whether that is the venue's book, its hash tells.
 */
export type Reconciled = 'older' | 'confirmed' | 'corrected' | 'forwarded';

/** So long after the last change, book or answer of REST its best prices alone confirm a book. */
const TOP_COUNTS_MS = 4_000;

/** The book of one token as we hold it, with what is known of its truth. */
export class OrderBook {
  /** Counts events of the market channel. */
  #received = 0;
  /** Whether the channel has said anything since it was asked for this book. */
  #isHeard = false;
  /** Counts doubts of what was missed, which all are but that of a hash. */
  #misses = 0;
  /** Whether this `version` is crossed or a ghost: asked for with each verdict. */
  #lookedAtVersion = -1;
  #looksStrange = false;
  readonly #proof = new HashProof();
  readonly #doubtTerms = new DoubtTerms();
  readonly #changesSince = new ChangesSince();
  /** `#received` at the last event without a time. */
  #untimedAt = -1;
  readonly #lastTrade = new LastTrade();
  readonly bids = new Ladder('bids');
  readonly asks = new Ladder('asks');
  /** The venue's clock at the last change. */
  timestampMs = 0;
  /**
   * The venue's clock at the last event of the market channel; 0 before the first of a subscription.
   */
  streamTimestampMs = 0;
  /**
   * When REST first showed a change that the market channel has not brought since; null
   * while it keeps up.
   */
  missedSinceMs: number | null = null;
  /** When REST was last asked for this book and had it, and the `version` that it had. */
  witnessedAtMs = 0;
  witnessedVersion = -1;
  /** When REST was last asked for this book, whether or not an answer came. */
  requestedAtMs = Number.NEGATIVE_INFINITY;
  /**
   * When the venue last confirmed this book, in whole milliseconds and never later than it was;
   * null while it never did. This is what book age is measured from. A fraction would lie elsewhere
   * in memory, and is looked at with each verdict.
   */
  confirmedAtMs: number | null = null;
  /** The same by anything but its top alone. */
  #wholeConfirmedAtMs = 0;
  /** Hash that the venue sent with the last change; null if none came. */
  expectedHash: string | null = null;
  /** When the channel was last asked for it, in our elapsed time; null: not since it was opened. */
  subscribedAtMs: number | null = null;
  /** Whether deltas may be applied: a snapshot came since the connection was made. */
  synced = false;
  /** False after the venue answered that it has no book for this token. */
  listed = true;
  doubt: Doubt | null = null;
  /** Counts changes, so that others know whether the book moved while they waited. */
  version = 0;
  hashFields: BookHashFields = { minOrderSize: null, tickSize: null, negRisk: null, lastTradePrice: null };

  constructor(
    readonly tokenId: TokenId,
    readonly conditionId: ConditionId,
  ) {}

  /**
   * Replaces the book by a snapshot of the market channel. One that is older than its own last
   * event casts doubt instead.
   */
  applySnapshot(streamed: StreamedBook, nowMs: number): ApplyResult {
    const snapshot = this.#timed(streamed);
    if (this.synced && snapshot.timestampMs < this.streamTimestampMs) return this.#outOfOrder();
    // The first one was asked for, and holds whatever was missed before.
    const mayRepeat = this.isHeardOf;
    this.synced = true;
    this.#receiveStream(snapshot.timestampMs);
    if (streamed.timestampMs === null) this.#untimedAt = this.#received;
    this.#changesSince.end();
    if (snapshot.timestampMs < this.timestampMs) return 'superseded';
    this.#replaceLevels(snapshot);
    // The venue says some books twice. The second time it says nothing of what happened in between.
    if (mayRepeat && this.doubt !== null && this.#doubtTerms.isHeld(snapshot.hash)) this.version++;
    else this.#load(snapshot, nowMs);
    return 'applied';
  }

  /**
   * Applies one level change of the market channel. The caller confirms the book if the change
   * was applied.
   */
  applyChange(change: LevelChange, timestampMs: number): ApplyResult {
    if (!this.synced) return 'unsynced';
    if (timestampMs < this.streamTimestampMs) return this.#outOfOrder();
    this.#receiveStream(timestampMs);
    this.#changesSince.add(change, timestampMs);
    if (timestampMs < this.timestampMs) return 'superseded';
    if (this.#sideOf(change.side).set(change.priceTicks, change.sizeMicros)) this.version++;
    this.timestampMs = timestampMs;
    this.expectedHash = change.hash;
    return 'applied';
  }

  /**
   * Applies a change of which the venue left out when it was made: it counts as the newest. What
   * the hash covers is unknown then.
   */
  applyUntimed(change: LevelChange): ApplyResult {
    const result = this.applyChange({ ...change, hash: null }, this.#newestMs);
    this.#untimedAt = this.#received;
    this.#changesSince.end();
    return result;
  }

  /**
   * A trade was announced. The books of both tokens come before or after it; until they do, what it
   * took is still in ours. Of a price that is new the hash tells whether they came: it covers the
   * last price. Of the price that was the last one already only a later hash does.
   */
  announceTrade(news: TradeNews): void {
    const { lastTradePrice } = this.hashFields;
    const announced = this.#lastTrade.announce(news, lastTradePrice);
    if (announced === null) return;
    const { price, timestampMs } = news;
    const { isLast, isNewPrice } = announced;
    if (isLast && (isNewPrice || lastTradePrice === null)) {
      this.hashFields = { ...this.hashFields, lastTradePrice: price };
    }
    if (timestampMs !== null && timestampMs <= this.timestampMs) return;
    const isTold = isLast && isNewPrice && this.doubt !== 'trade_without_book';
    if (isTold) this.castDoubt('trade_without_book', 'any hash');
    else this.castDoubt('trade_without_book', 'a later hash', timestampMs ?? 0);
  }

  /**
   * The price step was changed. Ladders are in the venue's finest tick, so nothing moves; but
   * orders off the new grid may be gone, which the hash tells: it covers the step.
   */
  announceTickSize(tickSize: string): void {
    if (Number(tickSize) === Number(this.hashFields.tickSize)) return;
    this.hashFields = { ...this.hashFields, tickSize };
    this.castDoubt('tick_size', 'any hash');
  }

  /**
   * Casts a doubt. One that was there stays, and then a hash has to answer both. `fromMs` is the
   * venue's clock before which none does.
   */
  castDoubt(doubt: Doubt, answer: DoubtAnswer, fromMs = 0): void {
    if (doubt !== 'hash') this.#misses++;
    if (this.doubt === null || this.doubt === 'hash') {
      this.doubt = doubt;
      this.#doubtTerms.reset();
    }
    this.#doubtTerms.add(answer, this.expectedHash, fromMs);
  }

  /**
   * What to remember when REST is asked about this book: only so its answer can be placed among the
   * events.
   */
  question(nowMs: number): RestQuestion {
    this.requestedAtMs = nowMs;
    const mark = this.doubt === null ? null : this.#changesSince.mark();
    return { requestedAtMs: nowMs, received: this.#received, misses: this.#misses, newestMs: this.#newestMs, mark };
  }

  /**
   * Compares with a book that REST returned. A younger one replaces ours, one of the same time
   * replaces and confirms it. An older one says nothing, but of a book in doubt: with the changes
   * laid over it that came since REST was asked it is as young; and where none came and our own hash
   * does not speak for ours, REST is believed. A doubt from after the question stays: the answer may
   * be from before what was missed.
   */
  reconcile(answered: StreamedBook, question: RestQuestion): Reconciled {
    const snapshot = this.#timed(answered);
    const { requestedAtMs, received } = question;
    if (this.#isOlder(snapshot, received)) {
      const later = this.#changesAfter(snapshot, question);
      if (later !== null) {
        this.#replaceLevels(snapshot);
        this.#adopt(snapshot, question, later);
        return 'forwarded';
      }
      if (!this.isSuspicious || received !== this.#received || this.#isProven) return 'older';
    }
    const holds = this.bids.holds(snapshot.bids) && this.asks.holds(snapshot.asks);
    const same = this.confirmedAtMs !== null && holds;
    if (!same && this.synced && snapshot.timestampMs > this.streamTimestampMs) this.missedSinceMs ??= requestedAtMs;
    if (!holds) this.#replaceLevels(snapshot);
    this.#adopt(snapshot, question, []);
    this.#witness(requestedAtMs);
    this.#proof.noteAnswer(snapshot.hash);
    return same ? 'confirmed' : 'corrected';
  }

  /** Of two books of one millisecond, the one that the channel went on from is the later one. */
  #isOlder({ timestampMs, hash }: BookSnapshot, received: number): boolean {
    if (received === this.#received) return timestampMs < this.timestampMs;
    if (this.#untimedAt === this.#received || timestampMs < this.timestampMs) return true;
    return timestampMs === this.timestampMs && hash !== this.expectedHash;
  }

  /** What came since the question; null where the answer may lack something from before it. */
  #changesAfter({ timestampMs }: BookSnapshot, { mark, newestMs }: RestQuestion): readonly TimedChange[] | null {
    return this.doubt === null || timestampMs < newestMs ? null : this.#changesSince.after(mark, timestampMs);
  }

  /**
   * Takes over all but the levels of an answer of REST, and the changes that came later. A doubt from
   * after its question stays.
   */
  #adopt(snapshot: BookSnapshot, { requestedAtMs, misses }: RestQuestion, later: readonly TimedChange[]): void {
    const lateDoubt = misses === this.#misses ? null : this.doubt;
    this.#load(snapshot, requestedAtMs);
    for (const { side, priceTicks, sizeMicros, hash, timestampMs } of later) {
      this.#sideOf(side).set(priceTicks, sizeMicros);
      this.timestampMs = timestampMs;
      this.expectedHash = hash;
    }
    if (lateDoubt !== null) this.#keepDoubt(lateDoubt);
  }

  #sideOf(side: LevelChange['side']): Ladder {
    return side === 'BUY' ? this.bids : this.asks;
  }

  /** Whether the hash of the last change is known to be that of the book as it is held. */
  get #isProven(): boolean {
    return this.#proof.holds(this.version, this.expectedHash);
  }

  /**
   * Our own reckoning says that the hash that came with the last change is that of the book as it
   * is held. That ends a doubt which this hash answers.
   */
  prove(): void {
    this.#proof.prove(this.version, this.expectedHash);
    if (this.doubt !== null && this.#doubtTerms.isAnsweredBy(this.expectedHash, this.timestampMs)) this.#endDoubt();
  }

  /** Whether this is the book that the venue means, and nothing about it is in question. */
  isProvenBy({ timestampMs, hash }: BookProof): boolean {
    return this.#isProven && this.timestampMs === timestampMs && this.expectedHash === hash && !this.isSuspicious;
  }

  /**
   * Does what `reconcile` does with a book that REST returned, given its proof alone. Returns
   * whether it is the one held.
   */
  reconcileProof(proof: BookProof, { requestedAtMs }: RestQuestion): boolean {
    if (!this.isProvenBy(proof)) return false;
    this.listed = true;
    this.#confirmAt(Math.max(requestedAtMs, this.confirmedAtMs ?? 0));
    this.#witness(requestedAtMs);
    return true;
  }

  /** No hash that is held ends it: the one of REST fits all that REST sent. */
  #keepDoubt(doubt: Doubt): void {
    this.doubt = doubt;
    this.#doubtTerms.add('a later hash', this.expectedHash, 0);
  }

  /** What came since the doubt confirms the book after all. */
  #endDoubt(): void {
    this.doubt = null;
    this.#changesSince.end();
    const { heardAtMs } = this.#doubtTerms;
    if (heardAtMs !== null) this.#confirmAt(Math.max(heardAtMs, this.confirmedAtMs ?? 0));
  }

  #confirmAt(atMs: number): void {
    this.confirmedAtMs = Math.floor(atMs);
    this.#wholeConfirmedAtMs = this.confirmedAtMs;
  }

  #witness(requestedAtMs: number): void {
    this.witnessedAtMs = requestedAtMs;
    this.witnessedVersion = this.version;
  }

  /**
   * The connection is gone: what it brings next builds on a snapshot that has not come yet. The age
   * goes on counting.
   */
  disconnect(): void {
    this.synced = false;
    this.#changesSince.end();
    this.#isHeard = false;
    this.streamTimestampMs = 0;
    this.missedSinceMs = null;
  }

  /** The channel was asked for this token anew, and has said nothing of it since. */
  renew(nowMs: number): void {
    this.#isHeard = false;
    this.streamTimestampMs = 0;
    this.subscribedAtMs = nowMs;
  }

  /** Whether the channel has said anything of it since it was asked for. */
  get isHeardOf(): boolean {
    return this.synced && this.#isHeard;
  }

  /**
   * The venue spoke about this book at a moment of our elapsed time, and we agree with it. A book in
   * doubt stays unconfirmed until the doubt has ended.
   */
  confirm(saidAtMs: number): void {
    if (this.#isConfirmable) this.#confirmAt(Math.max(saidAtMs, this.confirmedAtMs ?? saidAtMs));
    else this.#doubtTerms.hear(saidAtMs);
  }

  /**
   * The venue reported our best prices at a moment of our elapsed time. That says nothing of the
   * levels behind them: it counts for a while after the last word on the whole book.
   */
  confirmTop(saidAtMs: number): void {
    const atMs = Math.min(saidAtMs, this.#wholeConfirmedAtMs + TOP_COUNTS_MS);
    if (!this.#isConfirmable) this.#doubtTerms.hear(atMs);
    else if (this.confirmedAtMs !== null) this.confirmedAtMs = Math.max(Math.floor(atMs), this.confirmedAtMs);
  }

  /** Whether the venue means another book than this one, as far as it is known. */
  get isInDoubt(): boolean {
    return !this.#isConfirmable;
  }

  /** A hash that has never agreed may be made in a way that we do not know. */
  get #isConfirmable(): boolean {
    return this.doubt === null || (this.doubt === 'hash' && !this.#proof.hasAgreed);
  }

  /** The venue answered that there is no book: an answer as good as a book. */
  markUnlisted(nowMs: number): void {
    this.bids.replace([]);
    this.asks.replace([]);
    this.listed = false;
    this.timestampMs = 0;
    this.doubt = null;
    this.#confirmAt(nowMs);
    this.version++;
  }

  /** Returns the age of the book in milliseconds, or null if the venue never confirmed it. */
  ageMs(nowMs: number): number | null {
    return this.confirmedAtMs === null ? null : Math.max(0, Math.round(nowMs - this.confirmedAtMs));
  }

  /**
   * Best bid at or above best ask: a trade was seen whose book has not come yet, or something is
   * wrong.
   */
  get crossed(): CrossedBook | null {
    return crossedBook(this.bids, this.asks);
  }

  /** Whether REST was asked about this very `version`, and had it. */
  get rechecked(): boolean {
    return this.version === this.witnessedVersion;
  }

  /** In doubt, crossed, or a ghost: not to be judged before REST was asked. */
  get isSuspicious(): boolean {
    if (this.doubt !== null) return true;
    if (this.#lookedAtVersion !== this.version) {
      this.#looksStrange = this.crossed !== null || this.isGhost;
      this.#lookedAtVersion = this.version;
    }
    return this.#looksStrange;
  }

  /**
   * A book of nothing but extremes (0.01 / 0.99) is what the venue shows when its real book is
   * missing.
   */
  get isGhost(): boolean {
    const bid = this.bids.bestTicks ?? 0;
    const ask = this.asks.bestTicks ?? ONE_USD_TICKS;
    return this.listed && bid <= EXTREME_LOW_TICKS && ask >= EXTREME_HIGH_TICKS;
  }

  #receiveStream(timestampMs: number): void {
    this.#received++;
    this.#isHeard = true;
    this.streamTimestampMs = timestampMs;
    this.missedSinceMs = null;
  }

  /**
   * What is older than a book that its hash proves is in it: the venue says some things again, long
   * after.
   */
  #outOfOrder(): ApplyResult {
    this.#changesSince.end();
    this.castDoubt('out_of_order', 'any hash');
    return 'out_of_order';
  }

  /** The venue's clock at the newest that is known of this book. */
  get #newestMs(): number {
    return Math.max(this.streamTimestampMs, this.timestampMs);
  }

  /** A book without a time counts as the newest; what its hash covers is unknown then. */
  #timed(streamed: StreamedBook): BookSnapshot {
    return isTimed(streamed) ? streamed : { ...streamed, timestampMs: this.#newestMs, hash: null };
  }

  #replaceLevels({ bids, asks }: BookSnapshot): void {
    this.bids.replace(bids);
    this.asks.replace(asks);
  }

  /** Takes over all but the levels. */
  #load(snapshot: BookSnapshot, nowMs: number): void {
    this.timestampMs = snapshot.timestampMs;
    this.expectedHash = snapshot.hash;
    this.hashFields = {
      minOrderSize: snapshot.minOrderSize ?? this.hashFields.minOrderSize,
      tickSize: snapshot.tickSize ?? this.hashFields.tickSize,
      negRisk: snapshot.negRisk ?? this.hashFields.negRisk,
      lastTradePrice: snapshot.lastTradePrice ?? this.hashFields.lastTradePrice,
    };
    if (snapshot.lastTradePrice !== null) this.#lastTrade.noteBook(snapshot.timestampMs);
    this.listed = true;
    this.doubt = null;
    this.#changesSince.end();
    this.#confirmAt(Math.max(nowMs, this.confirmedAtMs ?? nowMs));
    this.version++;
  }
}

function isTimed(streamed: StreamedBook): streamed is BookSnapshot {
  return streamed.timestampMs !== null;
}
