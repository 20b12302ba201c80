import { map, type Observable, Subscription, tap } from 'rxjs';
import type { BookTable } from '#domain/book/book-table';
import { FrameApplier, type FrameCounters, type FrameOutcome } from '#domain/book/frame-applier';
import type { ConditionId, TokenId } from '#domain/ids';
import type { FeedEvent } from '#machines/feed.machine';
import type { Log } from '#ports/log';
import { type CheckedBook, hashChecks } from '#streams/hash-checks';
import { applyFrames, framesOnly, type LifeSignal, type MarketSocket, marketSocket$ } from '#streams/market-socket';
import { steadyScheduler } from '#streams/steady-scheduler';
import type { ConnectTextSocket } from '#streams/text-socket';
import type { Clock } from '#system/clock';
import type { Stopwatch } from '#system/stopwatch';
import type { ResolvedTokens } from './resolved-tokens.js';

export interface FeedSocketDeps {
  readonly connect: ConnectTextSocket;
  readonly clock: Stopwatch;
  /** By which events are late. */
  readonly time: Pick<Clock, 'nowMs'>;
  readonly log: Log;
  readonly resolvedTokens: ResolvedTokens;
  readonly onResolved: (conditionId: ConditionId) => void;
  readonly onHashChecked: (checked: CheckedBook) => void;
}

/** The machine that decides about the life of a socket, as the socket sees it. */
export interface FeedListener {
  send(event: FeedEvent): void;
  /** Whether data would change its state. Only then is it sent an event for a frame of a book. */
  awaitsData(): boolean;
}

/** The hashes of books that changed are checked this often. */
const HASH_CHECK_MS = 250;

/** One socket to the market channel at a time, and the books of a table that it feeds. */
export class FeedSocket {
  readonly #table: BookTable;
  readonly #deps: FeedSocketDeps;
  readonly #applier: FrameApplier;
  #connection = Subscription.EMPTY;
  #socket: MarketSocket | null = null;
  #lastDataAtMs: number;

  constructor(table: BookTable, deps: FeedSocketDeps) {
    this.#table = table;
    this.#deps = deps;
    this.#applier = new FrameApplier(table, () => deps.time.nowMs());
    this.#lastDataAtMs = deps.clock.elapsedMs();
  }

  /** How long the socket has brought nothing about its books. */
  get silentMs(): number {
    return Math.round(this.#deps.clock.elapsedMs() - this.#lastDataAtMs);
  }

  get counters(): Readonly<FrameCounters> {
    return this.#applier.counters;
  }

  /**
   * Connects; when the socket is open it subscribes every book of the table. What happens to it
   * goes to the listener.
   */
  open(listener: FeedListener): void {
    this.#connection = this.#checkedBooks$(listener).subscribe({
      next: this.#deps.onHashChecked,
      error: (error) => this.#giveUp(error, listener),
    });
  }

  /**
   * Closes the connection, if there is one. The books keep what they have until they are subscribed
   * again.
   */
  close(): void {
    this.#connection.unsubscribe();
    this.#socket = null;
    for (const book of this.#table.values()) book.disconnect();
  }

  /** Does nothing while the socket is not open: all books are subscribed when it opens. */
  subscribe(tokenId: TokenId): void {
    if (this.#socket !== null) this.#subscribe(this.#socket, [tokenId]);
  }

  unsubscribe(tokenId: TokenId): void {
    this.#socket?.unsubscribe([tokenId]);
  }

  /**
   * The way of a frame: off the socket, into its books; a little later their hashes are checked.
   */
  #checkedBooks$(listener: FeedListener): Observable<CheckedBook> {
    const { connect, clock } = this.#deps;
    const scheduler = steadyScheduler(() => clock.elapsedMs());
    return marketSocket$(connect, scheduler).pipe(
      framesOnly((signal) => this.#receive(signal, listener)),
      applyFrames(this.#applier, (atMs) => {
        this.#lastDataAtMs = atMs;
      }),
      tap((outcome) => this.#report(outcome, listener)),
      map(({ touched }) => touched),
      hashChecks((tokenId) => this.#table.get(tokenId), HASH_CHECK_MS),
    );
  }

  /** What the channel says of them next answers this. */
  #subscribe(socket: MarketSocket, tokenIds: readonly TokenId[]): void {
    const nowMs = this.#deps.clock.elapsedMs();
    for (const tokenId of tokenIds) this.#table.get(tokenId)?.renew(nowMs);
    socket.subscribe(tokenIds);
  }

  #receive(signal: LifeSignal, listener: FeedListener): void {
    if (signal.kind === 'closed') {
      if (signal.areTokensOver) this.#resolveAll();
      if (this.#table.size > 0 && this.#wanted().length === 0) listener.send({ type: 'tokens.resolved' });
      else listener.send({ type: 'socket.closed', reason: signal.reason });
      return;
    }
    this.#socket = signal.socket;
    this.#subscribe(signal.socket, this.#wanted());
    listener.send({ type: 'socket.opened' });
  }

  /**
   * The venue speaks of the tokens that it knew this socket wants, which are those whose books came.
   * One that was asked for a moment ago may be alive. Where none came, all were over before.
   */
  #resolveAll(): void {
    const books = [...this.#table.values()];
    const known = books.filter((book) => book.isHeardOf);
    for (const { tokenId } of known.length > 0 ? known : books) this.#deps.resolvedTokens.add(tokenId);
    for (const { conditionId } of known) this.#deps.onResolved(conditionId);
  }

  /** The tokens of its books but for those that are over. */
  #wanted(): readonly TokenId[] {
    const tokenIds = [...this.#table.values()].map(({ tokenId }) => tokenId);
    return tokenIds.filter((tokenId) => !this.#deps.resolvedTokens.has(tokenId));
  }

  #report({ touched, resolved }: FrameOutcome, listener: FeedListener): void {
    for (const conditionId of resolved) this.#deps.onResolved(conditionId);
    if (touched.length === 0) return;
    if (listener.awaitsData() && this.#hasSynced()) listener.send({ type: 'data.received' });
  }

  #hasSynced(): boolean {
    for (const { synced } of this.#table.values()) if (synced) return true;
    return false;
  }

  /**
   * An error of ours on the way of a frame ends the connection: the next one begins with whole
   * books.
   */
  #giveUp(error: unknown, listener: FeedListener): void {
    this.#deps.log.error({ err: error }, 'frame not applied; the socket is replaced');
    listener.send({ type: 'socket.closed', reason: 'a frame could not be applied' });
  }
}
