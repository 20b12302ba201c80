import { assign, fromCallback, setup } from 'xstate';
import { type Backoff, backoffMs } from '#domain/backoff';

/**
 * What happens to one socket of the venue, as past facts. Frames themselves do not pass through
 * here: they are too many.
 */
export type FeedEvent =
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed'; readonly reason: string }
  /** The venue closed it because every token that it was asked for is over. */
  | { readonly type: 'tokens.resolved' }
  /** A book was added. Sent only while the state has the tag RESTING. */
  | { readonly type: 'book.added' }
  /**
   * A frame about one of its books came, and there is a book that follows the socket. Sent only while the state has the
   * tag AWAITS_DATA.
   */
  | { readonly type: 'data.received' }
  /**
   * REST had a newer book while the socket was silent: it is open, answers PING, and carries no
   * data.
   */
  | { readonly type: 'freeze.suspected'; readonly reason: string }
  | { readonly type: 'feed.stopped' };

interface FeedContext {
  /** Connections that failed since the last one that stayed alive. */
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
/**
 * A connection that has been live for so long is a sound one. Before that, one that closes counts
 * as failed: a venue that says "slow consumer" after each first book is not asked at once again.
 */
export const STEADY_MS = 10_000;
/** How long nobody asks the venue again for tokens that it said are over. */
export const REST_MS = 60_000;
/** Between two connections, doubled with each that fails in a row. */
export const FEED_BACKOFF: Backoff = { minMs: 250, maxMs: 15_000 };

/**
 * Tag of the states that data ends. An event costs more than a frame, so that no other state is
 * sent one for each.
 */
export const AWAITS_DATA = 'awaits data';
/** Tag of the state in which frames keep the books fresh. */
export const LIVE = 'live';
/** Tag of the state in which there is no socket, because none is needed. */
export const RESTING = 'resting';

const TIMED_OUT = { type: 'countFailure', params: { reason: 'timed out' } } as const;

/**
 * The life of one venue socket: CONNECTING, SYNCING until its first book, LIVE, STALLED when it is
 * open and silent while books move, BACKING_OFF, and again; RESTING while all its tokens are over.
 * The service provides `connection` (it
 * opens the socket when started, closes it when stopped, and sends the events above) and the
 * `backoff` delay, half of which is by chance.
 */
export const feedMachine = setup({
  types: {
    context: {} as FeedContext,
    events: {} as FeedEvent,
    tags: {} as typeof AWAITS_DATA | typeof LIVE | typeof RESTING,
  },
  actors: { connection: fromCallback<FeedEvent>(() => undefined) },
  actions: {
    countFailure: assign({
      attempt: ({ context }) => context.attempt + 1,
      lastFailure: (_, { reason }: { readonly reason: string }) => reason,
    }),
    forgetFailures: assign({ attempt: 0 }),
  },
  delays: {
    connectTimeout: CONNECT_TIMEOUT_MS,
    syncTimeout: SYNC_TIMEOUT_MS,
    stallGrace: STALL_GRACE_MS,
    steady: STEADY_MS,
    rest: REST_MS,
    backoff: ({ context }) => backoffMs(FEED_BACKOFF, context.attempt, 1),
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
      on: {
        'socket.closed': {
          target: 'BACKING_OFF',
          actions: { type: 'countFailure', params: ({ event }) => ({ reason: event.reason }) },
        },
        'tokens.resolved': 'RESTING',
      },
      initial: 'CONNECTING',
      states: {
        CONNECTING: {
          on: { 'socket.opened': 'SYNCING' },
          after: { connectTimeout: { target: '#feed.BACKING_OFF', actions: TIMED_OUT } },
        },
        SYNCING: {
          tags: AWAITS_DATA,
          on: { 'data.received': 'LIVE' },
          after: { syncTimeout: { target: '#feed.BACKING_OFF', actions: TIMED_OUT } },
        },
        LIVE: {
          tags: LIVE,
          on: { 'freeze.suspected': 'STALLED' },
          after: { steady: { actions: 'forgetFailures' } },
        },
        STALLED: {
          tags: AWAITS_DATA,
          on: { 'data.received': 'LIVE' },
          after: { stallGrace: { target: '#feed.BACKING_OFF', actions: TIMED_OUT } },
        },
      },
    },
    BACKING_OFF: { after: { backoff: 'CONNECTED' } },
    RESTING: { tags: RESTING, on: { 'book.added': 'CONNECTED' }, after: { rest: 'CONNECTED' } },
    STOPPED: { type: 'final' },
  },
});
