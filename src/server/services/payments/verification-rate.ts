import type { Stopwatch } from '#system/stopwatch';

const WINDOW_MINUTES = 5;
const MINUTE_MS = 60_000;
/** Of fewer payments a share says nothing. */
const PAYMENTS_MIN = 3;

/** How many payments came to their end of late, and how many because nobody verified them. */
export class VerificationRate {
  readonly #stopwatch: Stopwatch;
  readonly #byMinute = new Map<number, { ended: number; unverified: number }>();

  constructor(stopwatch: Stopwatch) {
    this.#stopwatch = stopwatch;
  }

  note(isVerified: boolean): void {
    const minute = this.#minute();
    const counts = this.#byMinute.get(minute) ?? { ended: 0, unverified: 0 };
    counts.ended++;
    if (!isVerified) counts.unverified++;
    this.#byMinute.set(minute, counts);
    this.#forget(minute);
  }

  /** Of the payments of the last minutes; null: there were few. */
  share(): number | null {
    this.#forget(this.#minute());
    const counts = [...this.#byMinute.values()];
    const ended = counts.reduce((sum, one) => sum + one.ended, 0);
    const unverified = counts.reduce((sum, one) => sum + one.unverified, 0);
    return ended < PAYMENTS_MIN ? null : unverified / ended;
  }

  #minute(): number {
    return Math.floor(this.#stopwatch.elapsedMs() / MINUTE_MS);
  }

  #forget(now: number): void {
    for (const minute of this.#byMinute.keys()) if (minute <= now - WINDOW_MINUTES) this.#byMinute.delete(minute);
  }
}
