import { systemStopwatch } from '../process/system-clock.js';

/**
 * A flush takes milliseconds. After this long the disk is not answering, and whether the change
 * survives is unknown.
 */
const FLUSH_WAIT_MS_MAX = 10_000;

/** An open database: `flushed` is the next flush, or the last one if there is none to come. */
interface Flushing {
  readonly flushed: Promise<unknown>;
}

interface Wait {
  readonly sinceMs: number;
  readonly reject: (error: Error) => void;
}

/**
 * Waits for what was written to be on disk. The flush of a transaction is done with that
 * transaction's own end alone, while the word that it is committed may be another one's (see
 * commits.ts). One timer stands for all waits.
 */
export class Flushes {
  readonly #db: Flushing;
  readonly #waitMsMax: number;
  #waits: Wait[] = [];
  #watch: NodeJS.Timeout | null = null;

  constructor(db: Flushing, waitMsMax = FLUSH_WAIT_MS_MAX) {
    this.#db = db;
    this.#waitMsMax = waitMsMax;
  }

  /**
   * Returns the flush of what has been written by now. Asked for when that is committed, it would
   * be the one of what came meanwhile: another turn of the disk to wait for. Left alone it is
   * nobody's unhandled rejection.
   */
  next(): Promise<unknown> {
    const flush = this.#db.flushed.then(() => undefined);
    flush.catch(() => undefined);
    return flush;
  }

  /**
   * Resolves when that flush is done; rejects when from now on that takes too long, or with the
   * flush.
   */
  until(flush: Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      const wait: Wait = { sinceMs: systemStopwatch.elapsedMs(), reject };
      this.#waits.push(wait);
      // A process does not end while it waits.
      this.#watch = this.#watch?.ref() ?? this.#lookAfter(this.#waitMsMax);
      const done = (end: () => void) => {
        const at = this.#waits.indexOf(wait);
        if (at !== -1) this.#waits.splice(at, 1);
        if (this.#waits.length === 0) this.#watch?.unref();
        end();
      };
      flush.then(
        () => done(resolve),
        (error: Error) => done(() => reject(error)),
      );
    });
  }

  #lookAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#watch = null;
      const nowMs = systemStopwatch.elapsedMs();
      const isLate = ({ sinceMs }: Wait) => nowMs - sinceMs >= this.#waitMsMax;
      const late = this.#waits.filter(isLate);
      this.#waits = this.#waits.filter((wait) => !isLate(wait));
      const [oldest] = this.#waits;
      if (oldest !== undefined) this.#watch = this.#lookAfter(oldest.sinceMs + this.#waitMsMax - nowMs);
      for (const { reject } of late) reject(new Error(`no flush within ${this.#waitMsMax} ms`));
    }, ms);
  }
}
