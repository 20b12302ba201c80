/** Waits. Whatever has to let time pass asks this, so that tests own the time. */
export interface Timers {
  /**
   * Resolves after `ms` milliseconds, or at once when the signal is aborted; never rejects. A wait does not keep the process
   * alive.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
