import type { Batch, Commits } from '../commits.js';
import { type Rows, rangeOf } from '../raw.js';

/** Removes the rows of a kind whose keys come before this one, in one transaction. Returns how many. */
export function removeBefore(db: Rows, commits: Commits<Batch>, prefix: string, end: string): Promise<number> {
  return commits.run({
    decide() {
      const old = [...db.getKeys({ start: rangeOf(prefix).start, end })];
      const write = () => {
        for (const key of old) db.remove(key);
      };
      return { result: old.length, write };
    },
  });
}
