import { OutsideError } from '#domain/errors';
import type { Stopwatch } from '#system/stopwatch';

/** Changes of so many seconds, this one included, are looked at together. */
const SECONDS = 5;
const SECOND_MS = 1_000;

/** What became of the changes of the last seconds that callers wanted. */
export interface RecentChanges {
  readonly done: number;
  readonly failed: number;
  /** Why the last of those failed; null: none did. */
  readonly lastError: string | null;
  /** When the last of them ended, by the stopwatch; null: there were none. */
  readonly lastAtMs: number | null;
  readonly didLastFail: boolean;
}

interface Counted {
  second: number;
  done: number;
  failed: number;
}

/** Counts what becomes of the changes that callers want of a store, for as long as that matters. */
export class ChangeOutcomes {
  readonly #stopwatch: Stopwatch;
  readonly #seconds: Counted[] = Array.from({ length: SECONDS }, () => ({ second: -SECONDS, done: 0, failed: 0 }));
  #lastError: string | null = null;
  #lastDoneMs = Number.NEGATIVE_INFINITY;
  #lastFailedMs = Number.NEGATIVE_INFINITY;
  #didLastFail = false;

  constructor(stopwatch: Stopwatch) {
    this.#stopwatch = stopwatch;
  }

  /** When the last change came to disk, by the stopwatch; minus infinity: none has. */
  get lastDoneMs(): number {
    return this.#lastDoneMs;
  }

  /** Counts a change that came to disk. */
  readonly done = (): void => {
    this.#now().done++;
    this.#didLastFail = false;
    this.#lastDoneMs = this.#stopwatch.elapsedMs();
  };

  /** Counts one that failed. What is not the store's fault says nothing of it. */
  readonly failed = (error: unknown): void => {
    if (!(error instanceof OutsideError && error.upstream === 'store')) return;
    this.#now().failed++;
    this.#didLastFail = true;
    this.#lastError = error.message;
    this.#lastFailedMs = this.#stopwatch.elapsedMs();
  };

  recent(): RecentChanges {
    const oldest = this.#second() - SECONDS + 1;
    const counted = this.#seconds.filter(({ second }) => second >= oldest);
    const done = counted.reduce((sum, one) => sum + one.done, 0);
    const failed = counted.reduce((sum, one) => sum + one.failed, 0);
    const lastAtMs = done + failed === 0 ? null : Math.max(this.#lastDoneMs, this.#lastFailedMs);
    const lastError = failed === 0 ? null : this.#lastError;
    return { done, failed, lastError, lastAtMs, didLastFail: failed > 0 && this.#didLastFail };
  }

  #second(): number {
    return Math.floor(this.#stopwatch.elapsedMs() / SECOND_MS);
  }

  #now(): Counted {
    const second = this.#second();
    const counted = this.#seconds[second % SECONDS]!;
    if (counted.second !== second) Object.assign(counted, { second, done: 0, failed: 0 });
    return counted;
  }
}
