import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { FollowStore } from '#ports/follow-store';
import { decodeFollowedBoard, encodeFollowedBoard } from '../../rows/follow-rows.js';
import type { Batch, Commits } from '../commits.js';
import { listedPage } from '../listed.js';
import { putRow, type Rows, readRaw } from '../raw.js';
import { assertHeld } from './job-leases.js';
import { FOLLOWS, followKey } from './keys.js';
import { readRow } from './reads.js';
import { removeBefore } from './remove-before.js';

/** Returns the boards that are followed, in the file of the ratings. */
export function lmdbFollows(db: Rows, commits: Commits<Batch>, read: <T>(from: () => T) => Promise<T>): FollowStore {
  return {
    list: (from, limit) =>
      read(() =>
        listedPage(db, { prefix: FOLLOWS, from, limit }, (key, asOfS) =>
          decodeFollowedBoard(key, readRaw(db, key), Number(asOfS)),
        ),
      ),
    putResult: (asOfS, result, hold) =>
      commits.run({
        decide() {
          assertHeld(db, hold);
          const board = readRow(db, followKey(asOfS), (key, raw) => decodeFollowedBoard(key, raw, asOfS));
          const write = () => {
            if (board !== null) putRow(db, followKey(asOfS), encodeFollowedBoard({ ...board, result }));
          };
          return { result: undefined, write };
        },
      }),
    trim: (beforeS) => removeBefore(db, commits, FOLLOWS, followKey(beforeS)),
  };
}

/** Writes a board that is to be followed, inside a transaction. The first one of its moment stays. */
export function keepFollowed(db: Rows, board: FollowedBoard): void {
  const key = followKey(board.asOfS);
  if (!db.doesExist(key)) putRow(db, key, encodeFollowedBoard(board));
}
