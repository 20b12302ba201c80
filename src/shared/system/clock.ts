import type { Stopwatch } from './stopwatch.js';

/**
 * The two times of a machine, which tests own. Wall time is for dates: it can be set, and jumps
 * when a machine has slept. Ages, pauses and limits are differences of elapsed time.
 */
export interface Clock extends Stopwatch {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}
