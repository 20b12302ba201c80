import { asyncScheduler, Observable, type SchedulerLike, type Subscription } from 'rxjs';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';

export type { ConnectTextSocket } from '#wire/polymarket/text-socket';

/** The last signal of every connection: either side closed it, or it showed no life. */
export interface Closed {
  readonly kind: 'closed';
  readonly reason: string;
}

/** How a channel speaks: what keeps its connections alive, and what its texts mean. */
export interface TextProtocol<Signal> {
  /** Sent every `intervalMs` milliseconds, so that the venue keeps the connection. */
  readonly ping: string;
  readonly intervalMs: number;
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
   * Returns what a text means, given its bytes and when it came (the scheduler's `now`), or null
   * for one that means nothing, such as the answer to a ping.
   */
  readonly read: (bytes: Buffer, atMs: number) => Signal | null;
}

/** What the two directions of one connection share. */
interface Line {
  aliveAtMs: number;
  send: (text: string) => void;
}

/**
 * One connection, from subscribe to unsubscribe: opens it, keeps it alive with pings, emits what
 * its texts mean, and ends with `closed`. It does not reconnect and never fails. Texts go to
 * whoever subscribes without any operator between, of which each would cost something for every
 * text.
 */
export function textSocket$<Signal extends { readonly kind: string }>(
  connect: ConnectTextSocket,
  protocol: TextProtocol<Signal>,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<Signal | Closed> {
  return new Observable((subscriber) => {
    const line: Line = { aliveAtMs: scheduler.now(), send: () => undefined };
    const end = (reason: string) => {
      subscriber.next({ kind: 'closed', reason });
      subscriber.complete();
    };
    const socket = connect({
      onOpen: () => subscriber.next(protocol.open(line.send)),
      onText: (bytes) => {
        const atMs = scheduler.now();
        const signal = protocol.read(bytes, atMs);
        if (protocol.isAlive(signal)) line.aliveAtMs = atMs;
        if (signal !== null) subscriber.next(signal);
      },
      onClose: end,
    });
    line.send = (text) => socket.send(text);
    subscriber.add(() => socket.close());
    subscriber.add(watch(protocol, line, scheduler, end));
  });
}

/** Pings the other side, and ends the connection when it has been silent for too long. */
function watch(
  { ping, intervalMs, silentMs, lifeSign }: Omit<TextProtocol<never>, 'open' | 'read' | 'isAlive'>,
  line: Line,
  scheduler: SchedulerLike,
  end: (reason: string) => void,
): Subscription {
  return scheduler.schedule(function () {
    const ms = Math.round(scheduler.now() - line.aliveAtMs);
    if (ms >= silentMs) return end(`no ${lifeSign} for ${ms} ms`);
    line.send(ping);
    this.schedule(undefined, intervalMs);
  }, intervalMs);
}
