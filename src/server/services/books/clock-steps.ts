import type { Clock } from '#system/clock';

/**
 * Wall time that moves against elapsed time by more between two looks was set, or the machine
 * slept.
 */
const CLOCK_STEP_MS = 2_000;

/**
 * Returns what notices that wall time was set: given what elapsed time is now, by how many
 * milliseconds since the last look; null if it was not. A clock that is corrected slowly, as time
 * services do, is followed.
 */
export function clockSteps(clock: Clock): (elapsedMs: number) => number | null {
  // Of wall time before elapsed time.
  let aheadMs = clock.nowMs() - clock.elapsedMs();
  return (elapsedMs) => {
    const steppedMs = clock.nowMs() - elapsedMs - aheadMs;
    aheadMs += steppedMs;
    return Math.abs(steppedMs) > CLOCK_STEP_MS ? Math.round(steppedMs) : null;
  };
}
