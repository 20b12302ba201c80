import {
  asyncScheduler,
  defer,
  filter,
  interval,
  map,
  merge,
  Observable,
  type SchedulerLike,
  takeWhile,
  tap,
} from 'rxjs';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';

export type { ConnectTextSocket } from '#wire/polymarket/text-socket';

/** The last signal of every connection: either side closed it, or it showed no life. */
export interface Closed {
  readonly kind: 'closed';
  readonly reason: string;
}

/** How a channel speaks: what keeps its connections alive, and what its texts mean. */
export interface TextProtocol<Signal> {
  /** Sent every `everyMs` milliseconds, so that the venue keeps the connection. */
  readonly ping: string;
  readonly everyMs: number;
  /**
   * A connection without a sign of life for this long is dead. It is looked at whenever a ping is
   * due.
   */
  readonly silentMs: number;
  /** What counts as a sign of life, as the reason for closing names it. */
  readonly lifeSign: string;
  /** Whether what a text meant is a sign of life; null stands for a text that meant nothing. */
  readonly isAlive: (signal: Signal | null) => boolean;
  /**
   * Returns the signal of a connection that has just opened; `send` can be used at once and later.
   */
  readonly open: (send: (text: string) => void) => Signal;
  /**
   * Returns what a text means, given its bytes, or null for one that means nothing, such as the
   * answer to a ping.
   */
  readonly read: (bytes: Buffer) => Signal | null;
}

/** What the two directions of one connection share. */
interface Line {
  aliveAtMs: number;
  send: (text: string) => void;
}

/**
 * One connection, from subscribe to unsubscribe: opens it, keeps it alive with pings, emits what
 * its texts mean, and ends with `closed`. It does not reconnect and never fails.
 */
export function textSocket$<Signal extends { readonly kind: string }>(
  connect: ConnectTextSocket,
  protocol: TextProtocol<Signal>,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<Signal | Closed> {
  return defer(() => {
    const line: Line = { aliveAtMs: scheduler.now(), send: () => undefined };
    return merge(signals$(connect, protocol, line, scheduler), silence$(protocol, line, scheduler)).pipe(
      // Either side may end it, and the end itself is passed on.
      takeWhile(({ kind }) => kind !== 'closed', true),
    );
  });
}

/** What the other side says. Subscribing connects, unsubscribing closes. */
function signals$<Signal>(
  connect: ConnectTextSocket,
  { isAlive, open, read }: TextProtocol<Signal>,
  line: Line,
  scheduler: SchedulerLike,
): Observable<Signal | Closed> {
  return new Observable((subscriber) => {
    const socket = connect({
      onOpen: () => subscriber.next(open(line.send)),
      onText: (bytes) => {
        const signal = read(bytes);
        if (isAlive(signal)) line.aliveAtMs = scheduler.now();
        if (signal !== null) subscriber.next(signal);
      },
      onClose: (reason) => subscriber.next({ kind: 'closed', reason }),
    });
    line.send = (text) => socket.send(text);
    return () => socket.close();
  });
}

/** Pings the other side, and emits when it has been silent for too long. */
function silence$(
  { ping, everyMs, silentMs, lifeSign }: Omit<TextProtocol<never>, 'open' | 'read' | 'isAlive'>,
  line: Line,
  scheduler: SchedulerLike,
): Observable<Closed> {
  const isSilent = (ms: number) => ms >= silentMs;
  return interval(everyMs, scheduler).pipe(
    map(() => Math.round(scheduler.now() - line.aliveAtMs)),
    tap((ms) => isSilent(ms) || line.send(ping)),
    filter(isSilent),
    map((ms) => ({ kind: 'closed', reason: `no ${lifeSign} for ${ms} ms` })),
  );
}
