/** Elapsed time. Unlike a clock it never steps back and has no date: durations come from here. */
export interface Stopwatch {
  /** Milliseconds with fractions since some instant that stays the same. */
  elapsedMs(): number;
}
