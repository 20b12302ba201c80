import { parseJson } from '#domain/json';
import { readBook, readHeading, readStatus } from '../market/read-received.js';
import type { ReceivedHeading, ReceivedStatus } from '../market/received.js';
import { type LiveBook, toLiveBook } from './live-book.js';

/** Why a stream brings nothing now. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS: number | null }
  | { readonly kind: 'no_stream' | 'unreachable' | 'ended' | 'silent' | 'unreadable' };

/** What is known of a book that is followed. */
export interface FeedState {
  /**
   * `waiting`: for the next try. `over`: nothing more is tried by itself. `paused`: nobody looks.
   */
  readonly phase: 'opening' | 'live' | 'waiting' | 'over' | 'paused';
  /** The newest book; null before the first. */
  readonly received: ReceivedBook | null;
  /** As the market was told to be with the newest event; null: as it was listed. */
  readonly status: ReceivedStatus | null;
  /** The venue gives no book now. */
  readonly isBookMissing: boolean;
  readonly trouble: Trouble | null;
  /** How long until the next try, when one is waited for. */
  readonly waitMs: number | null;
  /** Of the connection; null before its first event. */
  readonly last: Pick<ReceivedHeading, 'sequence' | 'server_time_ms'> | null;
  /**
   * What the wall clock here is ahead of the service's, with the shortest way that an event of the
   * connection had.
   */
  readonly leastLagMs: number | null;
  /** Events that repeated others or went back in time. */
  readonly ignoredCount: number;
  /** Events that could not be read, since the last that could. */
  readonly unreadableCount: number;
}

/** A moment by both clocks of the browser. */
export interface Moment {
  /** By the clock that only goes forward, and may stand still while the machine sleeps. */
  readonly elapsedMs: number;
  /** By the wall clock, which goes on meanwhile, and may be set. */
  readonly wallMs: number;
}

/** A book, when it came, and how long it was on its way. */
interface ReceivedBook {
  readonly book: LiveBook;
  readonly at: Moment;
  readonly lateMs: number;
}

export type FeedMessage =
  | { readonly kind: 'opening' | 'opened' | 'paused' }
  | { readonly kind: 'event'; readonly name: string; readonly data: string; readonly at: Moment }
  | { readonly kind: 'failed'; readonly trouble: Trouble; readonly waitMs: number | null };

export const FEED_START: FeedState = {
  phase: 'opening',
  received: null,
  status: null,
  isBookMissing: false,
  trouble: null,
  waitMs: null,
  last: null,
  leastLagMs: null,
  ignoredCount: 0,
  unreadableCount: 0,
};

/**
 * How far the wall clock of the service may go back between two events: clocks are set right now
 * and then.
 */
const CLOCK_SET_BACK_MS_MAX = 2_000;
/** Ways of events differ by as much for no reason. */
const LATE_MS_MIN = 1_000;

/**
 * Returns the state after a message. What is older than what is known, or says it again, changes no
 * book.
 */
export function receive(state: FeedState, message: FeedMessage, tokenId: string): FeedState {
  switch (message.kind) {
    case 'opening':
      return { ...state, phase: 'opening', waitMs: null };
    case 'opened':
      // Another process may answer now, which counts its events anew; its clock still has to go on.
      return { ...state, last: state.last === null ? null : { ...state.last, sequence: -1 }, leastLagMs: null };
    case 'paused':
      return { ...state, phase: 'paused', trouble: null, waitMs: null };
    case 'failed':
      return {
        ...state,
        phase: message.waitMs === null ? 'over' : 'waiting',
        trouble: message.trouble,
        waitMs: message.waitMs,
        unreadableCount: 0,
      };
    case 'event':
      return receiveEvent(state, message, tokenId);
  }
}

interface Event {
  readonly name: string;
  readonly data: string;
  readonly at: Moment;
}

function receiveEvent(state: FeedState, { name, data, at }: Event, tokenId: string): FeedState {
  const reported = parseJson(data);
  const heading = readHeading(reported);
  if (heading === null || heading.token_id !== tokenId) return unreadable(state);
  if (isOld(state.last, heading)) return { ...state, ignoredCount: state.ignoredCount + 1 };
  const lagMs = at.wallMs - heading.server_time_ms;
  const leastLagMs = Math.min(lagMs, state.leastLagMs ?? lagMs);
  const next = nextState(state, name, reported as Readonly<Record<string, unknown>>, {
    at,
    lateMs: lagMs - leastLagMs,
  });
  if (next === null) return unreadable(state);
  return { ...next, phase: 'live', trouble: null, waitMs: null, last: heading, leastLagMs, unreadableCount: 0 };
}

function isOld(last: FeedState['last'], { sequence, server_time_ms }: ReceivedHeading): boolean {
  if (last === null) return false;
  return sequence <= last.sequence || server_time_ms < last.server_time_ms - CLOCK_SET_BACK_MS_MAX;
}

/**
 * What an event changes; null: it cannot be read. An event of another name is of a later version,
 * and changes nothing.
 */
function nextState(
  state: FeedState,
  name: string,
  reported: Readonly<Record<string, unknown>>,
  { at, lateMs }: Pick<ReceivedBook, 'at' | 'lateMs'>,
): FeedState | null {
  const status = readStatus(reported.market_status);
  if (name === 'book') {
    const book = readBook(reported.book);
    if (book === null || status === null) return null;
    const received = { book: toLiveBook(book), at, lateMs: lateMs < LATE_MS_MIN ? 0 : lateMs };
    return { ...state, received, status, isBookMissing: false };
  }
  if (name === 'closed') return status === null ? null : { ...state, status };
  // The age goes on counting here as well; only that there is no book at all has to be told.
  if (name === 'stale') return { ...state, isBookMissing: reported.age_ms === null };
  return state;
}

function unreadable(state: FeedState): FeedState {
  return { ...state, unreadableCount: state.unreadableCount + 1 };
}

/**
 * Returns how old a book is, in whole milliseconds as the service counts: as it was told to be, its
 * way, and the time since. Of both clocks the one counts by which it is older: one stands still
 * while the machine sleeps, the other is set.
 */
export function ageMsAt({ book, at, lateMs }: ReceivedBook, { elapsedMs, wallMs }: Moment): number {
  return book.reportedAgeMs + Math.round(lateMs + Math.max(0, elapsedMs - at.elapsedMs, wallMs - at.wallMs));
}
