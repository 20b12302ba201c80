/** How long nothing is said after something was: whoever listens shall not be talked over. */
export const ANNOUNCE_INTERVAL_MS = 2_000;

/**
 * What is read out to those who do not see the verdict change: the newest, and at most one sentence
 * in two seconds. `now` returns what to say at this moment: null if that is nothing new, or too
 * early.
 */
export class Announcer {
  #said: string | null = null;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  now(text: string, nowMs: number): string | null {
    if (text === this.#said || nowMs - this.#saidAtMs < ANNOUNCE_INTERVAL_MS) return null;
    const isFirst = this.#said === null;
    this.#said = text;
    this.#saidAtMs = nowMs;
    // What stands on the page when it opens is read with the page.
    return isFirst ? null : text;
  }
}
