import type { ScoreStore } from '#ports/score-store';
import { decodeScoreDay, encodeScoreDay } from '../../rows/score-rows.js';
import type { Batch, Commits } from '../commits.js';
import { listedPage } from '../listed.js';
import { putRow, type Rows, readRaw } from '../raw.js';
import { assertHeld } from './job-leases.js';
import { SCORES, scoreKey } from './keys.js';
import { readRow } from './reads.js';
import { removeBefore } from './remove-before.js';

/** Returns the days of the scoreboard, in the file of the ratings. */
export function lmdbScores(db: Rows, commits: Commits<Batch>, read: <T>(from: () => T) => Promise<T>): ScoreStore {
  return {
    day: (day) => read(() => readRow(db, scoreKey(day), (key, raw) => decodeScoreDay(key, raw, day))),
    put: (day, hold) =>
      commits.run({
        decide() {
          assertHeld(db, hold);
          return { result: undefined, write: () => putRow(db, scoreKey(day.day), encodeScoreDay(day)) };
        },
      }),
    list: (from, limit) =>
      read(() =>
        listedPage(db, { prefix: SCORES, from, limit }, (key, day) => decodeScoreDay(key, readRaw(db, key), day)),
      ),
    trim: (before) => removeBefore(db, commits, SCORES, scoreKey(before)),
  };
}
