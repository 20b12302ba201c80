import type { Clock } from '#system/clock';

/**
 * Wall time that moves against elapsed time by more between two looks was set, or the machine
 * slept.
 */
const CLOCK_STEP_MS = 2_000;

/**
 * Notices that wall time was set. A clock that is corrected slowly, as time services do, is
 * followed.
 */
export class ClockSteps {
  readonly #clock: Clock;
  /** Of wall time before elapsed time. */
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.nowMs() - clock.elapsedMs();
  }

  /**
   * Returns by how many milliseconds wall time was set since the last look; null if it was not.
   * `elapsedMs` is now.
   */
  look(elapsedMs: number): number | null {
    const steppedMs = this.#clock.nowMs() - elapsedMs - this.#aheadMs;
    this.#aheadMs += steppedMs;
    return Math.abs(steppedMs) > CLOCK_STEP_MS ? Math.round(steppedMs) : null;
  }
}
