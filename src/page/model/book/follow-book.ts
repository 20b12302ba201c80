import { createParser } from 'eventsource-parser';
import type { ClientSystem } from '#client/system';
import { backoffMs } from '#domain/backoff';
import { FEED_START, type FeedMessage, type FeedState, type Moment, receive, type Trouble } from './feed.js';

/** An answer whose body is read as it comes. */
export interface StreamAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterS: number | null;
  readonly texts: AsyncIterable<string>;
}

/** Asks for a stream. Rejects if there is no answer. The signal ends it, whatever it is at. */
export type OpenStream = (path: string, signal: AbortSignal) => Promise<StreamAnswer>;

export interface Followed {
  readonly path: string;
  readonly tokenId: string;
  readonly open: OpenStream;
  readonly system: ClientSystem;
  /** What is known of the book already. */
  readonly from?: FeedState;
  /** Told of every state. */
  readonly onState: (state: FeedState) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The service says something every 15 s. */
export const SILENCE_MS_MAX = 40_000;
/** Tries in a row that bring no event. */
export const TRIES_MAX = 8;
export const RECONNECT = { minMs: 1_000, maxMs: 30_000 };
const RETRY_AFTER_S_MAX = 300;
/** Characters of an event that is not whole yet: the largest books have a few hundred thousand. */
const BUFFER_LENGTH_MAX = 4_000_000;
/** Events in a row that cannot be read. */
const UNREADABLE_MAX = 3;
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;

/**
 * Follows a book until the signal ends it, nothing more can be hoped for, or it was tried too
 * often. Never rejects.
 */
export async function followBook(followed: Followed): Promise<void> {
  const { system, signal, tokenId, onState, from = FEED_START } = followed;
  let state = from;
  const report = (message: FeedMessage) => {
    if (signal.aborted) return;
    state = receive(state, message, tokenId);
    onState(state);
  };
  let failures = 0;
  while (!signal.aborted) {
    report({ kind: 'opening' });
    const before = state.last;
    const trouble = await followOnce(followed, report, () => state);
    if (state.last !== before && state.last !== null) failures = 0;
    const waitMs = waitAfter(trouble, ++failures, system.random.next());
    report({ kind: 'failed', trouble, waitMs });
    if (waitMs === null) return;
    await system.timers.sleep(waitMs, signal);
  }
}

/**
 * Returns how long to wait after so many failures in a row; null: another try would bring the same.
 */
function waitAfter(trouble: Trouble, failures: number, chance: number): number | null {
  if (failures >= TRIES_MAX) return null;
  const ownMs = backoffMs(RECONNECT, failures - 1, chance);
  if (trouble.kind !== 'status') return ownMs;
  const { status, retryAfterS } = trouble;
  const mayPass = status >= 500 || status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT;
  return mayPass ? Math.max(ownMs, Math.min(retryAfterS ?? 0, RETRY_AFTER_S_MAX) * 1e3) : null;
}

/** One connection, from its request to its end. */
async function followOnce(
  { path, open, system, signal }: Followed,
  report: (message: FeedMessage) => void,
  stateNow: () => FeedState,
): Promise<Trouble> {
  const connection = new AbortController();
  const end = () => connection.abort();
  signal.addEventListener('abort', end, { once: true });
  let isSilent = false;
  const watch = () =>
    system.timers.after(SILENCE_MS_MAX, () => {
      isSilent = true;
      connection.abort();
    });
  let stopWatching = watch();
  try {
    const answer = await open(path, connection.signal);
    const refusal = refusalOf(answer);
    if (refusal !== null) return refusal;
    report({ kind: 'opened' });
    const parser = createParser({
      maxBufferSize: BUFFER_LENGTH_MAX,
      onEvent: ({ event = 'message', data }) => report({ kind: 'event', name: event, data, at: momentOf(system) }),
      // A field that it does not know is nothing; text beyond the limit is no stream of ours.
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') connection.abort();
      },
    });
    for await (const text of answer.texts) {
      stopWatching();
      stopWatching = watch();
      parser.feed(text);
      if (stateNow().unreadableCount >= UNREADABLE_MAX || connection.signal.aborted) return { kind: 'unreadable' };
    }
    return { kind: 'ended' };
  } catch {
    return { kind: isSilent ? 'silent' : 'unreachable' };
  } finally {
    stopWatching();
    signal.removeEventListener('abort', end);
    connection.abort();
  }
}

export function momentOf({ clock }: Pick<ClientSystem, 'clock'>): Moment {
  return { elapsedMs: clock.elapsedMs(), wallMs: clock.nowMs() };
}

function refusalOf({ status, contentType, retryAfterS }: StreamAnswer): Trouble | null {
  if (status !== 200) return { kind: 'status', status, retryAfterS };
  return contentType.toLowerCase().startsWith('text/event-stream') ? null : { kind: 'no_stream' };
}
