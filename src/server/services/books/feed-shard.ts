import { distinctUntilKeyChanged, from, map, type Observable } from 'rxjs';
import { type Actor, createActor, fromCallback } from 'xstate';
import { backoffMs } from '#domain/backoff';
import { BookTable } from '#domain/book/book-table';
import type { FrameCounters } from '#domain/book/frame-applier';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { AWAITS_DATA, FEED_BACKOFF, type FeedEvent, feedMachine, LIVE, RESTING } from '#machines/feed.machine';
import type { Random } from '#system/random';
import { FeedSocket, type FeedSocketDeps } from './feed-socket.js';

export interface ShardDeps extends FeedSocketDeps {
  readonly random: Random;
}

/**
 * A socket that has been silent for this long while REST saw its books move is frozen, not quiet.
 */
export const FREEZE_SILENCE_MS = 5_000;

/**
 * One venue socket with the books it feeds. The feed machine decides about its life; this object
 * carries it out.
 */
export class FeedShard {
  readonly #id: number;
  readonly #deps: ShardDeps;
  /**
   * The books of this socket alone: a frame also names tokens that another socket feeds, with
   * another delay.
   */
  readonly #table = new BookTable();
  readonly #socket: FeedSocket;
  readonly #actor: Actor<typeof feedMachine>;

  constructor(id: number, deps: ShardDeps) {
    this.#id = id;
    this.#deps = deps;
    this.#socket = new FeedSocket(this.#table, deps);
    this.#actor = createActor(this.#machine(), { id: `feed-${id}` });
    this.#states$().subscribe({
      next: (facts) => deps.log.info({ shard: id, ...facts }, 'feed state'),
      error: (error) => this.#fail(error),
    });
  }

  start(): void {
    this.#actor.start();
  }

  stop(): void {
    this.#actor.send({ type: 'feed.stopped' });
    this.#actor.stop();
  }

  get size(): number {
    return this.#table.size;
  }

  get isLive(): boolean {
    return !this.hasFailed && this.#actor.getSnapshot().hasTag(LIVE);
  }

  /** Whether it has no socket because all its tokens are over. */
  get isResting(): boolean {
    return this.#actor.getSnapshot().hasTag(RESTING);
  }

  /**
   * Whether the machine ended with an error. Its socket is closed then, and no other will be
   * opened.
   */
  get hasFailed(): boolean {
    return this.#actor.getSnapshot().status === 'error';
  }

  /** How long the socket has brought nothing about its books. */
  get silentMs(): number {
    return this.#socket.silentMs;
  }

  get counters(): Readonly<FrameCounters> {
    return this.#socket.counters;
  }

  feeds(tokenId: TokenId): boolean {
    return this.#table.get(tokenId) !== undefined;
  }

  add(book: OrderBook): void {
    this.#table.add(book);
    if (this.isResting) this.#actor.send({ type: 'book.added' });
    else this.#socket.subscribe(book.tokenId);
  }

  remove(tokenId: TokenId): void {
    this.#table.get(tokenId)?.disconnect();
    this.#table.drop(tokenId);
    this.#socket.unsubscribe(tokenId);
  }

  /**
   * REST had a change of this token that never came here. The token is subscribed anew, which
   * brings a snapshot; if the whole socket has been silent, the machine decides whether it is
   * frozen.
   */
  suspectFreeze(tokenId: TokenId): void {
    this.#socket.unsubscribe(tokenId);
    this.#socket.subscribe(tokenId);
    const { silentMs } = this;
    this.#deps.log.warn({ shard: this.#id, tokenId, silentMs }, 'the market channel missed a change');
    if (silentMs < FREEZE_SILENCE_MS) return;
    this.#actor.send({ type: 'freeze.suspected', reason: `no data for ${silentMs} ms while books moved` });
  }

  #machine(): typeof feedMachine {
    return feedMachine.provide({
      actors: {
        connection: fromCallback<FeedEvent>(({ sendBack }) => {
          const awaitsData = () => this.#actor.getSnapshot().hasTag(AWAITS_DATA);
          this.#socket.open({ send: sendBack, awaitsData });
          return () => this.#socket.close();
        }),
      },
      delays: { backoff: ({ context }) => backoffMs(FEED_BACKOFF, context.attempt, this.#deps.random.next()) },
    });
  }

  #states$(): Observable<{ readonly state: string; readonly attempt: number; readonly lastFailure: string | null }> {
    return from(this.#actor).pipe(
      map(({ value, context }) => ({ state: stateName(value), ...context })),
      distinctUntilKeyChanged('state'),
    );
  }

  /** A machine that ended with an error leaves its connection open. */
  #fail(error: unknown): void {
    this.#deps.log.error({ shard: this.#id, err: error }, 'feed machine failed');
    this.#socket.close();
  }
}

/** The innermost state: CONNECTING, SYNCING, LIVE, STALLED, BACKING_OFF, RESTING or STOPPED. */
function stateName(value: string | { readonly CONNECTED: string }): string {
  return typeof value === 'string' ? value : value.CONNECTED;
}
