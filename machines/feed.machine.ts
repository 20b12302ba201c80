import { assign, fromCallback, setup } from 'xstate';

/** What happens to one socket of the venue, as past facts. Frames themselves do not pass through here: they are too many. */
export type FeedEvent =
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed'; readonly reason: string }
  /** The first book since the connection was made. */
  | { readonly type: 'book.received' }
  /** REST told a newer book while the socket said nothing: it is open, answers PING, and carries no data. */
  | { readonly type: 'freeze.suspected'; readonly reason: string }
  /** Data came after a suspected freeze. */
  | { readonly type: 'data.resumed' }
  | { readonly type: 'feed.stopped' };

interface FeedContext {
  /** Connections that failed since the last one that came alive. */
  readonly attempt: number;
  readonly lastFailure: string | null;
}

export const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A socket that brings no book at all this long after it opened is as good as closed
 * (docs/venue.md, "Snapshot limit").
 */
export const SYNC_TIMEOUT_MS = 10_000;
/** How long a suspected freeze may last before the socket is given up. */
export const STALL_GRACE_MS = 1_000;
export const BACKOFF_MIN_MS = 250;
export const BACKOFF_MAX_MS = 15_000;

/** Returns the wait before connection number `attempt` + 1: exponential, capped, half of it by chance (0 to 1). */
export function backoffMs(attempt: number, chance: number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * chance;
}

/**
 * The life of one venue socket: CONNECTING, SYNCING until its first book, LIVE, STALLED where it is open and silent while
 * the book moves, BACKING_OFF, and again. The service provides `connection` (it opens the socket when started, closes it
 * when stopped, and sends the events above) and the `backoff` delay, which wants chance.
 */
export const feedMachine = setup({
  types: { context: {} as FeedContext, events: {} as FeedEvent },
  actors: { connection: fromCallback<FeedEvent>(() => undefined) },
  actions: {
    failed: assign({
      attempt: ({ context }) => context.attempt + 1,
      lastFailure: ({ event }) => ('reason' in event ? event.reason : 'timed out'),
    }),
    cameAlive: assign({ attempt: 0 }),
  },
  delays: {
    connectTimeout: CONNECT_TIMEOUT_MS,
    syncTimeout: SYNC_TIMEOUT_MS,
    stallGrace: STALL_GRACE_MS,
    backoff: ({ context }) => backoffMs(context.attempt, 1),
  },
}).createMachine({
  id: 'feed',
  context: { attempt: 0, lastFailure: null },
  initial: 'CONNECTED',
  on: { 'feed.stopped': '.STOPPED' },
  states: {
    /** A connection exists or is being made; leaving this state closes it. */
    CONNECTED: {
      invoke: { src: 'connection', id: 'connection' },
      on: { 'socket.closed': { target: 'BACKING_OFF', actions: 'failed' } },
      initial: 'CONNECTING',
      states: {
        CONNECTING: {
          on: { 'socket.opened': 'SYNCING' },
          after: { connectTimeout: { target: '#feed.BACKING_OFF', actions: 'failed' } },
        },
        SYNCING: {
          on: { 'book.received': 'LIVE' },
          after: { syncTimeout: { target: '#feed.BACKING_OFF', actions: 'failed' } },
        },
        LIVE: {
          entry: 'cameAlive',
          on: { 'freeze.suspected': 'STALLED' },
        },
        STALLED: {
          on: { 'data.resumed': 'LIVE' },
          after: { stallGrace: { target: '#feed.BACKING_OFF', actions: 'failed' } },
        },
      },
    },
    BACKING_OFF: { after: { backoff: 'CONNECTED' } },
    STOPPED: { type: 'final' },
  },
});
