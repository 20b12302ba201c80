import type { Clock } from '#system/clock';
import type { Stopwatch } from '#system/stopwatch';

/** The machine's monotonic time. */
export const systemStopwatch: Stopwatch = { elapsedMs: () => performance.now() };

/** The machine's wall clock, and its monotonic time. */
export const systemClock: Clock = { nowMs: () => Date.now(), elapsedMs: systemStopwatch.elapsedMs };
