import type { ScoreDay } from '#domain/scoreboard/score-day';
import type { JobHold } from './job-leases.js';
import type { Cursor, RowsPage } from './store.js';

/** How long a day of the scoreboard is kept, a row of at most some 100 kB each. */
export const SCORE_DAYS_KEPT = 400;

/** The days of the scoreboard. Every method rejects as those of the ratings do. */
export interface ScoreStore {
  /** Returns what was counted on a day (like 2026-11-27) so far; null: nothing was. */
  day(day: string): Promise<ScoreDay | null>;
  /**
   * Keeps a day whole, in place of what was kept of it: written twice it is the same. Rejects where
   * the job is in other hands by now; then nothing has changed.
   */
  put(day: ScoreDay, hold: JobHold): Promise<void>;
  /** All days, the oldest first, at most `limit` per page, for those who copy the store. */
  list(from: Cursor, limit: number): Promise<RowsPage<ScoreDay>>;
  /** Removes the days before this one. Returns how many they were. */
  trim(before: string): Promise<number>;
}
