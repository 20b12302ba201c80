import { OutsideError } from '#domain/errors';
import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { TapeWallet } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { JobHold } from '#ports/job-leases';
import type { Board } from '#ports/ratings-store';
import { encodeBoard, encodeRun, encodeStoredRating, encodeVerdict } from '../../rows/rating-rows.js';
import type { Batch, Commits } from '../commits.js';
import { page, putRow, type Rows, rangeOf } from '../raw.js';
import { keepFollowed } from './follows.js';
import { assertHeld } from './job-leases.js';
import {
  BOARD_KEY,
  DEMAND_RATINGS,
  DRAFT_KEY,
  historyKey,
  partsOfRatingKey,
  publishedKey,
  RATINGS,
  ratingKey,
  ratingsOfRun,
} from './keys.js';
import { readBoard, readDemandRating, readDraft } from './reads.js';

/**
 * Rows removed in one transaction, so that it holds the event loop for a few milliseconds at most.
 */
const FORGET_BATCH = 1_000;
/**
 * A rating on demand that is this much older than the board is forgotten: a wallet that nobody asks
 * for any more.
 */
const DEMAND_STORED_S = 30 * 86_400;

/**
 * Keeps ratings of a run. The newest run to begin is the only one that may: an older one that is
 * still at work in another process is refused from then on, so that two can neither mix nor fill
 * the disk. Each verdict goes into the wallet's history beside it, where it counts once the run was
 * in force; a wallet below the floor has no verdict to be held to.
 */
export async function keepRatings(
  db: Rows,
  commits: Commits<Batch>,
  run: number,
  ratings: readonly StoredRating[],
): Promise<void> {
  const isNew = await commits.run({
    decide() {
      refuseOldRun(db, run);
      return { result: readDraft(db) < run, write: () => writeRatings(db, run, ratings) };
    },
  });
  if (isNew) await forgetRuns(db, commits);
}

/** What comes into force together, and by whom. */
interface Publication {
  readonly board: Board;
  readonly hold: JobHold | undefined;
  readonly followed: FollowedBoard | undefined;
}

/**
 * Puts a run in force, in one transaction, unless the job has been taken over; then forgets what is
 * not in force any more.
 */
export async function publishRun(
  db: Rows,
  commits: Commits<Batch>,
  { board, hold, followed }: Publication,
): Promise<void> {
  await commits.run({
    decide() {
      if (hold !== undefined) assertHeld(db, hold);
      refuseOldRun(db, board.run);
      const write = () => {
        writeBoard(db, board);
        if (followed !== undefined) keepFollowed(db, followed);
      };
      return { result: undefined, write };
    },
  });
  await forgetRuns(db, commits);
  await forgetDemandRatings(db, commits, board.asOfS - DEMAND_STORED_S);
}

function refuseOldRun(db: Rows, run: number): void {
  const newest = Math.max(readDraft(db), (readBoard(db)?.run ?? 0) + 1);
  if (run >= newest) return;
  throw new OutsideError('store', `run ${run} is not the newest one any more; let the other one end, or start again`, {
    failure: 'final',
  });
}

function writeRatings(db: Rows, run: number, ratings: readonly StoredRating[]): void {
  putRow(db, DRAFT_KEY, encodeRun(run));
  for (const stored of ratings) {
    const { wallet, verdict } = stored.rating;
    putRow(db, ratingKey(run, wallet), encodeStoredRating(stored));
    if (verdict !== 'NO_COVERAGE') putRow(db, historyKey(wallet, run), encodeVerdict(stored));
  }
}

function writeBoard(db: Rows, board: Board): void {
  putRow(db, DRAFT_KEY, encodeRun(board.run));
  putRow(db, publishedKey(board.run), encodeRun(board.run));
  putRow(db, BOARD_KEY, encodeBoard(board));
}

/**
 * Removes, batch by batch, the ratings of every run but the one in force and the draft. What never
 * was in force leaves no history.
 */
async function forgetRuns(db: Rows, commits: Commits<Batch>): Promise<void> {
  let removed: number;
  do {
    removed = await commits.run({
      decide() {
        const keys = forgettableKeys(db);
        return { result: keys.length, write: () => removeRatings(db, keys) };
      },
    });
  } while (removed > 0);
}

function forgettableKeys(db: Rows): readonly string[] {
  const stored = [readBoard(db)?.run ?? 0, readDraft(db)];
  let { start, end } = rangeOf(RATINGS);
  for (;;) {
    const [first] = db.getKeys({ start, end, limit: 1 });
    if (first === undefined) return [];
    const { run } = partsOfRatingKey(first);
    const ofRun = rangeOf(ratingsOfRun(run));
    if (!stored.includes(run)) return [...db.getKeys({ ...ofRun, limit: FORGET_BATCH })];
    start = ofRun.end;
  }
}

function removeRatings(db: Rows, keys: readonly string[]): void {
  for (const key of keys) {
    const { run, wallet } = partsOfRatingKey(key);
    db.remove(key);
    if (!db.doesExist(publishedKey(run))) db.remove(historyKey(wallet, run));
  }
}

async function forgetDemandRatings(db: Rows, commits: Commits<Batch>, beforeS: number): Promise<void> {
  let from: string | null = null;
  do {
    const { keys, next } = page(db, DEMAND_RATINGS, from, FORGET_BATCH);
    await commits.run({
      decide() {
        const old = keys.filter((key) => isOlder(db, key.slice(DEMAND_RATINGS.length), beforeS));
        return {
          result: undefined,
          write: () => {
            for (const key of old) db.remove(key);
          },
        };
      },
    });
    from = next;
  } while (from !== null);
}

function isOlder(db: Rows, wallet: TapeWallet, beforeS: number): boolean {
  try {
    const stored = readDemandRating(db, wallet);
    return stored !== null && stored.rating.asOfS < beforeS;
  } catch {
    // A malformed row stays where it is, and a caller that asks for it hears of it.
    return false;
  }
}
