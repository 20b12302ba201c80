import type { Clock } from '#ports/clock';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #ms: number;

  constructor(ms = 1_780_000_000_000) {
    this.#ms = ms;
  }

  nowMs(): number {
    return this.#ms;
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}
