import type { ClientSystem } from '../system.js';

/** Longest that a call takes unless the caller says otherwise. */
export const DEADLINE_MS = 60_000;
/** The same of a verdict, which nobody waits for longer: it is about an order now. */
export const VERDICT_DEADLINE_MS = 10_000;
/** Shortest waits between attempts: the first, doubled each time, and the longest. */
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 10_000;
/**
 * A wait is longer than it was told to be by up to this part, so that clients do not come back all
 * at once.
 */
const JITTER = 0.25;

/** How long a call may go on. */
export class Deadline {
  readonly #system: ClientSystem;
  readonly #endMs: number;
  readonly #ending = new AbortController();
  readonly #cancel: () => void;
  /** Aborts when the caller gives up or the time is over. */
  readonly signal: AbortSignal;

  constructor(system: ClientSystem, ms: number, signals: readonly (AbortSignal | undefined)[]) {
    this.#system = system;
    this.#endMs = system.clock.elapsedMs() + ms;
    this.#cancel = system.timers.after(ms, () => this.#ending.abort(new DOMException('the deadline', 'TimeoutError')));
    const given = signals.filter((signal) => signal !== undefined);
    this.signal = AbortSignal.any([this.#ending.signal, ...given]);
  }

  /**
   * Waits before attempt number `attempt` (from 1); returns false if there is no time left for
   * another. `onWait` is called if there is.
   */
  async pause(attempt: number, retryAfterS: number | null, onWait = () => {}): Promise<boolean> {
    const { clock, random, timers } = this.#system;
    // A server that says "at once" again and again does not make a storm.
    const ms = Math.max((retryAfterS ?? 0) * 1e3, Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1)));
    const waitMs = ms * (1 + JITTER * random.next());
    if (this.signal.aborted || clock.elapsedMs() + waitMs >= this.#endMs) return false;
    onWait();
    await timers.sleep(waitMs, this.signal);
    return !this.signal.aborted;
  }

  /** To be called when the call is over, so that nothing is left waiting. */
  end(): void {
    this.#cancel();
  }
}

/**
 * Returns the Retry-After of an answer in seconds; null if there is none that can be read. A moment
 * is counted from the one at which the answer was made: clocks differ.
 */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const untilMs = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  const waitS = Math.ceil((untilMs - Date.parse(headers.get('date') ?? '')) / 1e3);
  return waitS >= 0 ? waitS : null;
}
