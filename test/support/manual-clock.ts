import type { Clock } from '#system/clock';

/** A clock that stands still until a test moves it; its elapsed time begins with its date. */
export class ManualClock implements Clock {
  #ms: number;
  #steppedMs = 0;

  constructor(ms = 1_780_000_000_000) {
    this.#ms = ms;
  }

  nowMs(): number {
    return this.#ms + this.#steppedMs;
  }

  elapsedMs(): number {
    return this.#ms;
  }

  advance(ms: number): void {
    this.#ms += ms;
  }

  /** Sets wall time by so much, while no time passes. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }
}
