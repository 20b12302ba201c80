import type { Clock } from '#system/clock';

/** Less than this is no step: clocks are corrected by little all the time. */
const STEP_MS = 2_000;
/**
 * A wall clock that was set is believed once it has stood for this long. By then whatever was kept
 * before has been kept for as long as it was promised.
 */
const CONFIRMED_AFTER_MS = 7 * 86_400_000;

/**
 * Returns the clock with a wall time that goes on steadily when the wall clock is set, for whatever
 * lapses: kept answers, credits and codes. A clock that is wrong for an hour must not end what was
 * promised for a day. What the wall clock says at the start is believed.
 */
export function steadyClock(clock: Clock): Clock {
  let seenAtMs = clock.elapsedMs();
  let believedMs = clock.nowMs() - seenAtMs;
  let seenMs = believedMs;

  function look(nowMs: number): void {
    const offset = clock.nowMs() - nowMs;
    if (Math.abs(offset - seenMs) > STEP_MS) [seenMs, seenAtMs] = [offset, nowMs];
    else if (nowMs - seenAtMs >= CONFIRMED_AFTER_MS) [believedMs, seenMs, seenAtMs] = [offset, offset, nowMs];
  }

  return {
    elapsedMs: () => clock.elapsedMs(),
    nowMs: () => {
      const nowMs = clock.elapsedMs();
      look(nowMs);
      // Elapsed time has fractions of a millisecond; dates have none.
      return Math.round(believedMs + nowMs);
    },
  };
}

/**
 * Returns a clock whose wall time is the later one of two, for the age of what may have been dated
 * by either: it never shows it younger than it is.
 */
export function laterOf(one: Clock, other: Clock): Clock {
  return { elapsedMs: () => one.elapsedMs(), nowMs: () => Math.max(one.nowMs(), other.nowMs()) };
}
