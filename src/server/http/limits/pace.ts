import * as limits from './limits.js';

/** How much of what is known of the pace is what the last tick showed. */
const NEWEST_SHARE = 0.25;

/**
 * How fast waiting requests get their turn, and how many may wait so that none waits for long: on a machine that is half as fast
 * half as many. Measured only while some wait, for without a queue it shows how much is asked and not how much can be done.
 */
export class Pace {
  #turns = 0;
  /** Whether somebody waited all the time since the last measurement. */
  #isWhole = true;
  /** Null: not known. */
  #turnsPerMs: number | null = null;

  get waitingMax(): number {
    if (this.#turnsPerMs === null) return limits.WAITING_MAX;
    const soon = Math.ceil(this.#turnsPerMs * limits.WAIT_EXPECTED_MS);
    return Math.min(limits.WAITING_MAX, Math.max(limits.WAITING_MIN, soon));
  }

  /** A request begins to wait, and none did before: what was measured then may be long ago. */
  begin(): void {
    this.#turns = 0;
    this.#isWhole = true;
    this.#turnsPerMs = null;
  }

  turn(): void {
    this.#turns++;
  }

  /** For a moment nobody waits. */
  emptied(): void {
    this.#isWhole = false;
  }

  /** So much time went by since the last measurement, or since the beginning. */
  measured(ms: number): void {
    if (this.#isWhole) this.#learn(ms);
    this.#turns = 0;
    this.#isWhole = true;
  }

  #learn(ms: number): void {
    const newest = this.#turns / Math.max(1, ms);
    this.#turnsPerMs =
      this.#turnsPerMs === null ? newest : this.#turnsPerMs + NEWEST_SHARE * (newest - this.#turnsPerMs);
  }
}
