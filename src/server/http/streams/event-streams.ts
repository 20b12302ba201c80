import type { ServerResponse } from 'node:http';
import type { StreamAnswer } from '#doors/route';
import type { OpenStream, StreamReader } from '#services/demo/demo';
import type { Timers } from '#system/timers';
import { STREAM_END_WAIT_MS, STREAM_UNREAD_WAIT_MS } from '../limits/limits.js';

export const EVENT_STREAM = 'text/event-stream';

/** A stream is written as it is made: a proxy that collects it first would deliver old books. */
const HEADERS = ['X-Accel-Buffering', 'no', 'Connection', 'close'] as const;

/** The open event streams of a server. */
export class EventStreams {
  readonly #timers: Timers;
  readonly #open = new Set<StreamReader>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /**
   * Returns the answer that is this stream. `onEnd` is called once, when its connection is closed.
   */
  answer(open: OpenStream, onEnd: () => void): StreamAnswer {
    return { contentType: EVENT_STREAM, headers: HEADERS, begin: (res) => this.#begin(res, open, onEnd) };
  }

  /** Ends all streams. One that cannot be ended at once is cut a moment later. */
  stop(): void {
    for (const reader of this.#open) reader.end();
  }

  #begin(res: ServerResponse, open: OpenStream, onEnd: () => void): void {
    // Its client may have left before it began, and will not leave again.
    if (res.closed) {
      onEnd();
      return;
    }
    const reader = new ResponseReader(res, this.#timers);
    this.#open.add(reader);
    const stop = open(reader);
    res.once('close', () => {
      this.#open.delete(reader);
      reader.settled();
      stop();
      onEnd();
    });
  }
}

/**
 * The reader behind one response. What was sent and has not left is never more than one event
 * beyond the buffer of the connection: until that is empty the reader is not ready, and one that
 * does not take it in time is cut.
 */
class ResponseReader implements StreamReader {
  readonly #res: ServerResponse;
  readonly #timers: Timers;
  /** Calls off what cuts it; null while nothing is due. */
  #keep: (() => void) | null = null;

  constructor(res: ServerResponse, timers: Timers) {
    this.#res = res;
    this.#timers = timers;
    // What is left at its end has the time of the end.
    res.on('drain', () => {
      if (!res.writableEnded) this.settled();
    });
  }

  isReady(): boolean {
    return !this.#res.writableNeedDrain && !this.#isOver();
  }

  send(bytes: Buffer): void {
    if (!this.#isOver() && !this.#res.write(bytes)) this.#cutAfter(STREAM_UNREAD_WAIT_MS);
  }

  end(): void {
    if (this.#isOver()) return;
    this.settled();
    this.#res.end();
    this.#cutAfter(STREAM_END_WAIT_MS);
  }

  /** Nothing is waited for any more. */
  settled(): void {
    this.#keep?.();
    this.#keep = null;
  }

  #isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed;
  }

  #cutAfter(ms: number): void {
    this.#keep ??= this.#timers.after(ms, () => this.#res.destroy());
  }
}
