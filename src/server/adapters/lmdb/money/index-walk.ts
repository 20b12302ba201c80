import { count, fields, ROW_VERSION, textOrNull } from '../../rows/row-fields.js';
import type { Commits } from '../commits.js';
import { page, putRow, putRowSync, type Rows, readRaw } from '../raw.js';
import { ANSWERS_BY_EXPIRY } from './answers.js';
import type { MoneyBatch } from './batch.js';
import { type ByTime, isMissing, moveByTime } from './by-time.js';
import { PAYMENTS_BY_SETTLEMENT } from './payments.js';

/*
 * A store of an earlier version has rows that its indexes by time do not know. They are walked
 * through once, a page at each look of the sweeper, and given their places; how far that is lies in
 * the store.
 */

/** Until then a process of the earlier version may be at work beside this one. */
const WALK_AFTER_MS = 3_600_000;

/** Rows of a page: most of them need no place, and are only read. */
const WALK_ROWS = 500;

/** How far the walk is. */
interface Walk {
  /** When the store was first looked at by a program that keeps the index. */
  readonly sinceMs: number;
  /** The last row that was seen; '': none yet. null: all of them were. */
  readonly at: string | null;
}

const INDEXES: readonly ByTime[] = [ANSWERS_BY_EXPIRY, PAYMENTS_BY_SETTLEMENT];

/** Notes in a new store that there is nothing to walk through. */
export function beginIndexed(db: Rows): void {
  for (const index of INDEXES) {
    putRowSync(db, walkKey(index), encodeWalk({ sinceMs: 0, at: null }));
  }
}

/** Walks on by a page of rows, unless all of them were seen. */
export async function walkOn(
  db: Rows,
  commits: Commits<MoneyBatch>,
  { index, nowMs }: { readonly index: ByTime; readonly nowMs: number },
): Promise<void> {
  const walk = readWalk(db, index);
  // The beginning of all time is what a clock says that is not believed yet.
  if (walk?.at === null || nowMs <= 0) return;
  const note = (next: Walk) => putRow(db, walkKey(index), encodeWalk(next));
  if (walk === null || nowMs < walk.sinceMs) {
    const begun = { sinceMs: nowMs, at: '' };
    await commits.run({ decide: () => ({ result: undefined, write: () => note(begun) }) });
    return;
  }
  if (nowMs < walk.sinceMs + WALK_AFTER_MS) return;
  const { keys, next } = page(db, index.rows, walk.at === '' ? null : walk.at, WALK_ROWS);
  const names = keys.map((key) => key.slice(index.rows.length)).filter((name) => isMissing(db, index, name));
  await commits.run({
    decide() {
      const write = () => {
        for (const name of names) moveByTime(db, index, { name, fromMs: null, toMs: index.momentOf(db, name) });
        note({ ...walk, at: next });
      };
      return { result: undefined, write };
    },
  });
}

/** Returns the indexes in which every row has its place. */
export function wholeIndexes(db: Rows): readonly ByTime[] {
  return INDEXES.filter((index) => readWalk(db, index)?.at === null);
}

function walkKey({ prefix }: ByTime): string {
  return `meta/${prefix.slice(0, -1)}`;
}

function encodeWalk({ sinceMs, at }: Walk): unknown {
  return [ROW_VERSION, sinceMs, at];
}

function readWalk(db: Rows, index: ByTime): Walk | null {
  const key = walkKey(index);
  const raw = readRaw(db, key);
  if (raw === undefined) return null;
  const row = fields(key, raw, 3);
  return { sinceMs: count(key, row[1], 'sinceMs'), at: textOrNull(key, row[2], 'at') };
}
