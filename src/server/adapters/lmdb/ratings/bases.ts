import { BASES_FORGOTTEN_MAX, type BasisStore, forgottenBeforeS } from '#ports/basis-store';
import { decodeBasis, encodeBasis } from '../../rows/rating-rows.js';
import type { Batch, Commits } from '../commits.js';
import { listedPage } from '../listed.js';
import { putRow, type Rows, rangeOf, readRaw } from '../raw.js';
import { BASES, basesOf, basisKey, partsOfBasisKey } from './keys.js';
import { readBoard, readRow } from './reads.js';

/** Returns what ratings were computed from, in the file of the ratings. */
export function lmdbBases(db: Rows, commits: Commits<Batch>, read: <T>(from: () => T) => Promise<T>): BasisStore {
  return {
    read: (asOfS, wallet) => read(() => readRow(db, basisKey(asOfS, wallet), decodeBasis)),
    put: (bases) =>
      commits.run({
        decide() {
          const beforeS = forgottenBeforeS(bases, readBoard(db));
          const range = { start: rangeOf(BASES).start, end: basesOf(beforeS), limit: BASES_FORGOTTEN_MAX };
          const old = [...db.getKeys(range)];
          const write = () => {
            for (const key of old) db.remove(key);
            for (const { asOfS, wallet, text } of bases) putRow(db, basisKey(asOfS, wallet), encodeBasis(text));
          };
          return { result: undefined, write };
        },
      }),
    list: (from, limit) =>
      read(() =>
        listedPage(db, { prefix: BASES, from, limit }, (key) => ({
          ...partsOfBasisKey(key),
          text: decodeBasis(key, readRaw(db, key)),
        })),
      ),
  };
}
