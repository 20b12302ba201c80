import { type FrameCounters, newFrameCounters } from '#domain/book/frame-applier';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { FeedShard, type ShardDeps } from './feed-shard.js';
import { ResolvedTokens } from './resolved-tokens.js';

/**
 * Tokens per socket. The venue sends no snapshots above 500; public clients use 200 (docs/venue.md,
 * "Snapshot limit").
 */
export const TOKENS_PER_SOCKET = 200;

export type FeedDeps = Omit<ShardDeps, 'resolvedTokens'>;

/** How the sockets stand, for /status.json. One that rests, because its tokens are over, is none. */
export interface FeedReport {
  readonly sockets: number;
  readonly live: number;
  readonly tokens: number;
  /** How long no socket has brought anything about its books; null without sockets. */
  readonly silentMs: number | null;
  readonly counters: FrameCounters;
}

/**
 * Spreads books over sockets, one for every 200, and closes a socket that feeds nothing any more.
 */
export class Feed {
  readonly #deps: ShardDeps;
  readonly #shards: FeedShard[] = [];
  /** Frames counted by sockets that are closed by now. */
  readonly #past = newFrameCounters();
  #nextId = 1;

  constructor(deps: FeedDeps) {
    this.#deps = { ...deps, resolvedTokens: new ResolvedTokens(deps.clock) };
  }

  /**
   * A token that is over is left to REST: no socket asks for it. One whose machine failed gets no
   * more books; those it has are left to REST, and /status.json shows it.
   */
  add(book: OrderBook): void {
    if (this.#deps.resolvedTokens.has(book.tokenId)) return;
    const free = this.#shards.find(({ size, hasFailed }) => size < TOKENS_PER_SOCKET && !hasFailed);
    if (free !== undefined) {
      free.add(book);
      return;
    }
    const shard = new FeedShard(this.#nextId++, this.#deps);
    this.#shards.push(shard);
    shard.add(book);
    shard.start();
  }

  remove(tokenId: TokenId): void {
    const index = this.#shards.findIndex((shard) => shard.feeds(tokenId));
    const shard = this.#shards[index];
    if (shard === undefined) return;
    shard.remove(tokenId);
    if (shard.size > 0) return;
    this.#shards.splice(index, 1);
    shard.stop();
    addCounters(this.#past, shard.counters);
  }

  suspectFreeze(tokenId: TokenId): void {
    this.#shards.find((shard) => shard.feeds(tokenId))?.suspectFreeze(tokenId);
  }

  report(): FeedReport {
    const counters = newFrameCounters();
    addCounters(counters, this.#past);
    for (const shard of this.#shards) addCounters(counters, shard.counters);
    const awake = this.#shards.filter(({ isResting }) => !isResting);
    return {
      sockets: awake.length,
      live: awake.filter(({ isLive }) => isLive).length,
      tokens: this.#shards.reduce((sum, { size }) => sum + size, 0),
      silentMs: awake.length === 0 ? null : Math.min(...awake.map((shard) => shard.silentMs)),
      counters,
    };
  }

  stop(): void {
    for (const shard of this.#shards.splice(0)) shard.stop();
  }
}

function addCounters(sum: FrameCounters, more: Readonly<FrameCounters>): void {
  for (const name of Object.keys(sum) as (keyof FrameCounters)[]) sum[name] += more[name];
}
