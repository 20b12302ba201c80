import type { Clock } from '#ports/clock';
import type { Stopwatch } from '#ports/stopwatch';

/** The machine's wall clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** The machine's monotonic time. */
export const systemStopwatch: Stopwatch = { elapsedMs: () => performance.now() };
