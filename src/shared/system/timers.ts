/**
 * Lets time pass. Everything that has to wait does so here, so that tests own the time. A wait does
 * not keep the process alive.
 */
export interface Timers {
  /** Resolves after `ms` milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `due` after `ms` milliseconds, unless the function that it returns is called before. For
   * limits: work that is nearly always in time need not pay for a signal and its abort.
   */
  after(ms: number, due: () => void): () => void;
}
