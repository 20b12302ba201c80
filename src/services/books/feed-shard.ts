import { Subject, type Subscription } from 'rxjs';
import { type Actor, createActor, fromCallback } from 'xstate';
import { BookTable } from '#domain/book/book-table';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { backoffMs, type FeedEvent, feedMachine } from '#machines/feed.machine';
import type { Clock } from '#ports/clock';
import type { Log } from '#ports/log';
import type { Random } from '#ports/random';
import { type ConnectTextSocket, type MarketSocket, marketSocket$, type SocketSignal } from '#streams/market-socket';
import { applyFrames, FrameApplier, type FrameOutcome } from '#streams/order-books';

export interface ShardDeps {
  readonly connect: ConnectTextSocket;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onOutcome: (outcome: FrameOutcome) => void;
}

/** A socket that has been silent for this long while REST saw its books move is frozen, not quiet. */
export const FREEZE_SILENCE_MS = 5_000;

/** One venue socket with the books it feeds. The feed machine decides about its life; this object carries it out. */
export class FeedShard {
  /** The books of this socket alone: a frame also names tokens that another socket feeds, with another delay. */
  readonly #table = new BookTable();
  readonly applier = new FrameApplier(this.#table);
  readonly #frames = new Subject<string>();
  readonly #pipeline: Subscription;
  readonly #actor: Actor<typeof feedMachine>;
  #socket: MarketSocket | null = null;
  #lastDataAtMs: number;
  #loggedState = '';
  /** Whether the machine waits to hear of data (SYNCING or STALLED). */
  #awaitsData = true;

  constructor(
    readonly id: number,
    private readonly deps: ShardDeps,
  ) {
    this.#lastDataAtMs = deps.clock.nowMs();
    this.#pipeline = this.#frames
      .pipe(applyFrames(this.applier, () => deps.clock.nowMs()))
      .subscribe((outcome) => deps.onOutcome(outcome));
    this.#actor = createActor(
      feedMachine.provide({
        actors: { connection: fromCallback<FeedEvent>(({ sendBack }) => this.#connect(sendBack)) },
        delays: { backoff: ({ context }) => backoffMs(context.attempt, deps.random.next()) },
      }),
    );
    this.#actor.subscribe({
      next: ({ value, context }) => this.#logState(stateName(value), context.attempt),
      error: (error) => deps.log.error({ shard: id, err: error }, 'feed machine failed'),
    });
  }

  start(): void {
    this.#actor.start();
  }

  stop(): void {
    this.#actor.send({ type: 'feed.stopped' });
    this.#actor.stop();
    this.#pipeline.unsubscribe();
  }

  get size(): number {
    return this.#table.size;
  }

  get isLive(): boolean {
    return this.#actor.getSnapshot().matches({ CONNECTED: 'LIVE' });
  }

  get lastDataAtMs(): number {
    return this.#lastDataAtMs;
  }

  feeds(tokenId: TokenId): boolean {
    return this.#table.get(tokenId) !== undefined;
  }

  add(book: OrderBook): void {
    this.#table.add(book);
    this.#socket?.subscribe([book.tokenId]);
  }

  remove(tokenId: TokenId): void {
    this.#table.get(tokenId)?.disconnect();
    this.#table.drop(tokenId);
    this.#socket?.unsubscribe([tokenId]);
  }

  /**
   * REST told of a change of this token that never came here. The token is subscribed anew, which brings a snapshot; where
   * the whole socket has been silent, the machine is told as well.
   */
  suspectFreeze(tokenId: TokenId): void {
    this.#socket?.unsubscribe([tokenId]);
    this.#socket?.subscribe([tokenId]);
    const silentMs = this.deps.clock.nowMs() - this.#lastDataAtMs;
    this.deps.log.warn({ shard: this.id, tokenId, silentMs }, 'the market channel missed a change');
    if (silentMs < FREEZE_SILENCE_MS || !this.isLive) return;
    this.#awaitsData = true;
    this.#actor.send({ type: 'freeze.suspected', reason: `no data for ${silentMs} ms while books moved` });
  }

  #logState(state: string, attempt: number): void {
    if (state === this.#loggedState) return;
    this.#loggedState = state;
    this.deps.log.info({ shard: this.id, state, attempt }, 'feed state');
  }

  #connect(sendBack: (event: FeedEvent) => void): () => void {
    this.#awaitsData = true;
    const connection = marketSocket$(this.deps.connect).subscribe((signal) => this.#hear(signal, sendBack));
    return () => {
      connection.unsubscribe();
      this.#socket = null;
      for (const book of this.#table.values()) book.disconnect();
    };
  }

  #hear(signal: SocketSignal, sendBack: (event: FeedEvent) => void): void {
    switch (signal.kind) {
      case 'opened':
        this.#socket = signal.socket;
        signal.socket.subscribe([...this.#table.values()].map((book) => book.tokenId));
        sendBack({ type: 'socket.opened' });
        break;
      case 'frame':
        this.#lastDataAtMs = this.deps.clock.nowMs();
        this.#frames.next(signal.text);
        if (this.#awaitsData) this.#reportData(sendBack);
        break;
      case 'closed':
        sendBack({ type: 'socket.closed', reason: signal.reason });
    }
  }

  /** The machine hears of data only while it waits for it: an event a frame would cost more than the frame. */
  #reportData(sendBack: (event: FeedEvent) => void): void {
    if (![...this.#table.values()].some((book) => book.synced)) return;
    this.#awaitsData = false;
    sendBack({ type: 'book.received' });
    sendBack({ type: 'data.resumed' });
  }
}

/** The innermost state: CONNECTING, SYNCING, LIVE, STALLED, BACKING_OFF or STOPPED. */
function stateName(value: string | { readonly CONNECTED: string }): string {
  return typeof value === 'string' ? value : value.CONNECTED;
}
