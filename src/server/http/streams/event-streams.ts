import type { ServerResponse } from 'node:http';
import type { StreamAnswer } from '#doors/route';
import type { OpenStream, StreamReader } from '#services/demo/demo';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import { STREAM_END_WAIT_MS, STREAM_LATE_MAX_MS, STREAM_UNREAD_WAIT_MS } from '../limits/limits.js';
import type { StreamSlot } from './stream-slots.js';

export const EVENT_STREAM = 'text/event-stream';

/** A stream is written as it is made: a proxy that collects it first would deliver old books. */
const HEADERS = ['X-Accel-Buffering', 'no', 'Connection', 'close'] as const;

/** The open event streams of a server. */
export class EventStreams {
  readonly #timers: Timers;
  readonly #stopwatch: Stopwatch;
  readonly #open = new Set<StreamReader>();

  constructor(timers: Timers, stopwatch: Stopwatch) {
    this.#timers = timers;
    this.#stopwatch = stopwatch;
  }

  /**
   * Returns the answer that is this stream. It holds its place until its connection is closed, or
   * somebody else gets the place: then it ends.
   */
  answer(open: OpenStream, slot: StreamSlot): StreamAnswer {
    return { contentType: EVENT_STREAM, headers: HEADERS, begin: (res) => this.#begin(res, open, slot) };
  }

  /** Ends all streams. One that cannot be ended at once is cut a moment later. */
  stop(): void {
    for (const reader of this.#open) reader.end();
  }

  #begin(res: ServerResponse, open: OpenStream, slot: StreamSlot): void {
    // Its client may have left before it began, and will not leave again.
    if (res.closed) {
      slot.release();
      return;
    }
    const reader = new ResponseReader(res, this.#timers, this.#stopwatch);
    this.#open.add(reader);
    const stop = open(reader);
    res.once('close', () => {
      this.#open.delete(reader);
      reader.settled();
      stop();
      slot.release();
    });
    slot.onTaken(() => reader.end());
  }
}

/**
 * The reader behind one response. What was sent and has not left is never more than one event
 * beyond the buffer of the connection: until that is empty the reader is not ready. One that does
 * not take it in time is cut, and so is one that is late again and again.
 */
class ResponseReader implements StreamReader {
  readonly #res: ServerResponse;
  readonly #timers: Timers;
  readonly #stopwatch: Stopwatch;
  /** Calls off what cuts it; null while nothing is due. */
  #keep: (() => void) | null = null;
  /** For how much longer it may be late, and since when it is. */
  #lateLeftMs = STREAM_LATE_MAX_MS;
  #lateSinceMs = 0;

  constructor(res: ServerResponse, timers: Timers, stopwatch: Stopwatch) {
    this.#res = res;
    this.#timers = timers;
    this.#stopwatch = stopwatch;
    // What is left at its end has the time of the end.
    res.on('drain', () => {
      if (!res.writableEnded) this.settled();
    });
  }

  isReady(): boolean {
    return !this.#res.writableNeedDrain && !this.#isOver();
  }

  send(bytes: Buffer): void {
    if (!this.#isOver() && !this.#res.write(bytes)) this.#cutAfter(Math.min(STREAM_UNREAD_WAIT_MS, this.#lateLeftMs));
  }

  end(): void {
    if (this.#isOver()) return;
    this.settled();
    this.#res.end();
    this.#cutAfter(STREAM_END_WAIT_MS);
  }

  /** Nothing is waited for any more. */
  settled(): void {
    if (this.#keep === null) return;
    this.#keep();
    this.#keep = null;
    this.#lateLeftMs -= this.#stopwatch.elapsedMs() - this.#lateSinceMs;
  }

  #isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed;
  }

  #cutAfter(ms: number): void {
    if (this.#keep !== null) return;
    this.#lateSinceMs = this.#stopwatch.elapsedMs();
    this.#keep = this.#timers.after(Math.max(0, ms), () => this.#res.destroy());
  }
}
