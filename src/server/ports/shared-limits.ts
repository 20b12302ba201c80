/**
 * What callers have used up of limits that count across the processes on a store. Windows are of
 * the store's own time. Both reject as every change of a store does.
 */
export interface SharedLimits {
  /**
   * Takes points of a key's window, which begins with the first ones. Returns null, or after how
   * many milliseconds a new window begins if there are not so many left; then nothing is taken.
   */
  take(
    key: string,
    points: number,
    limit: { readonly points: number; readonly windowS: number },
  ): Promise<number | null>;
  /** Gives points back that were taken, if their window goes on. */
  giveBack(key: string, points: number): Promise<void>;
}
