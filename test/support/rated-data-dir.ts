import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { asOfOf } from '#domain/rating/rating-windows';
import { sampleBoard, storedRating } from './sample-ratings.js';

/** A wallet that the board of `publishSampleBoard` rates COPY. */
export const RATED_WALLET = `0x${'ab'.repeat(20)}`;
const VETOED_WALLET = `0x${'cd'.repeat(20)}`;

/**
 * Puts a board of today with one wallet on each list in force in a data directory, for tests that
 * are about paying and not about rating.
 */
export async function publishSampleBoard(dataDir: string): Promise<void> {
  const store = openLmdbRatings({ path: lmdbRatingsPath(dataDir) });
  const asOfS = asOfOf(Math.floor(systemClock.nowMs() / 1e3));
  const walletsByVerdict = { COPY: 1, WATCH: 0, VETO: 1, NO_COVERAGE: 0 };
  const lists = { leaderboard: [RATED_WALLET], redList: [VETOED_WALLET] };
  const board = sampleBoard({ asOfS, walletsSeen: 2, walletsByVerdict, ...lists });
  try {
    await store.putBoardRatings(board.run, [
      storedRating({ asOfS, wallet: RATED_WALLET }),
      storedRating({ asOfS, wallet: VETOED_WALLET, verdict: 'VETO', reason: 'lost_money' }),
    ]);
    await store.publish(board);
  } finally {
    await store.close();
  }
}
