import type { Stopwatch } from '#ports/stopwatch';
import { BEGUN_PER_TURN, MORE_PER_TURN_MS, TURN_LATE_MS } from './limits.js';

export interface TurnsDeps<Item> {
  readonly stopwatch: Stopwatch;
  readonly run: (item: Item) => void;
  /**
   * Runs one more of what waits, or returns false: nothing waits, or nothing more may begin. `isLate`: there is more work than
   * turns have time for.
   */
  readonly runMore: (isLate: boolean) => boolean;
}

/**
 * Begins in groups what came at once, a group in each turn of the event loop, in the order in which it came. So the debits
 * of one group are on their way to the disk while the next group is worked on, and answered while that one's are: all in
 * one group would wait for one commit together, with nothing left to do. Holds as many as its caller lets begin.
 *
 * Then begins of what waits for as long as a turn may take, or as refusing took since the last one: a process that reads all that
 * comes, refuses most of it and has no time left for the others would be busy with nothing.
 */
export class Turns<Item> {
  readonly #deps: TurnsDeps<Item>;
  readonly #items: Item[] = [];
  /** When the next turn was asked for; null: none is. */
  #cameMs: number | null = null;
  #refusedMs = 0;

  constructor(deps: TurnsDeps<Item>) {
    this.#deps = deps;
  }

  /** Runs the item at the end of this turn, or of one of the next. */
  begin(item: Item): void {
    this.#items.push(item);
    this.come();
  }

  /** Something waits that may begin. */
  come(): void {
    if (this.#cameMs !== null) return;
    this.#cameMs = this.#deps.stopwatch.elapsedMs();
    setImmediate(this.#turn);
  }

  /** So much time was spent on refusing. */
  refused(tookMs: number): void {
    this.#refusedMs += tookMs;
  }

  readonly #turn = (): void => {
    const { stopwatch, run, runMore } = this.#deps;
    const tookMs = stopwatch.elapsedMs() - this.#cameMs!;
    // To read what is refused takes about as long as to refuse it.
    const isLate = tookMs - 2 * this.#refusedMs > TURN_LATE_MS;
    this.#cameMs = null;
    for (const item of this.#items.splice(0, BEGUN_PER_TURN)) run(item);
    let isMore = runMore(isLate);
    const untilMs = stopwatch.elapsedMs() + Math.max(MORE_PER_TURN_MS, this.#refusedMs);
    while (isMore && stopwatch.elapsedMs() < untilMs) isMore = runMore(isLate);
    this.#refusedMs = 0;
    if (isMore || this.#items.length > 0) this.come();
  };
}
