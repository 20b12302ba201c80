import type { FollowedBoard, FollowResult } from '#domain/follow-up/followed-board';
import type { JobHold } from './job-leases.js';
import type { Cursor, RowsPage } from './store.js';

/**
 * The boards whose COPY wallets are followed. A board gets here in the transaction that puts it in
 * force (`RatingsStore.publish`). Every method rejects as those of the ratings do.
 */
export interface FollowStore {
  /** All boards, the oldest first, at most `limit` per page. */
  list(from: Cursor, limit: number): Promise<RowsPage<FollowedBoard>>;
  /**
   * Stores what became of the board of a moment, in place of what was known of it; of a board that
   * is not kept it does nothing. Rejects where the job is in other hands by now; then nothing has
   * changed.
   */
  putResult(asOfS: number, result: FollowResult, hold: JobHold): Promise<void>;
  /** Removes the boards of before this moment. Returns how many they were. */
  trim(beforeS: number): Promise<number>;
}
