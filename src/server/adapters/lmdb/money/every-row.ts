import { OutsideError } from '#domain/errors';
import type { Cursor, RowsPage, WrittenRow } from '#ports/store';
import { malformedRow } from '../../rows/row-fields.js';
import { hasChecksum, type Rows, SCHEMA_KEY } from '../raw.js';
import { type ByTime, isMissing, namesIn } from './by-time.js';
import { wholeIndexes } from './index-walk.js';

/**
 * Returns a page of all that lies in the file, whatever it is. Its faults are rows whose bytes are
 * others than were written, that are not found by their key, or that an index by time does not find
 * or finds for nothing.
 */
export function everyRow(db: Rows, from: Cursor, limit: number): RowsPage<WrittenRow> {
  const items: WrittenRow[] = [];
  const faults: OutsideError[] = [];
  const note = (look: () => void) => {
    try {
      look();
    } catch (error) {
      faults.push(error instanceof OutsideError ? error : brokenPage(from, error));
    }
  };
  let keys: readonly unknown[] = [];
  note(() => {
    keys = [...db.getKeys({ ...(from !== null && { start: from, exclusiveStart: true }), limit })];
  });
  let indexes: readonly ByTime[] = [];
  note(() => {
    indexes = wholeIndexes(db);
  });
  for (const key of keys) note(() => items.push(rowAt(db, indexes, key)));
  const last = keys.at(-1);
  return { items, faults, next: keys.length < limit || typeof last !== 'string' ? null : last };
}

function rowAt(db: Rows, indexes: readonly ByTime[], key: unknown): WrittenRow {
  if (typeof key !== 'string') throw malformedRow(String(key), 'its key is no text');
  const row = { hasChecksum: key === SCHEMA_KEY || hasChecksum(db, key) };
  for (const index of indexes) checkIndex(db, index, key);
  return row;
}

function checkIndex(db: Rows, index: ByTime, key: string): void {
  if (key.startsWith(index.rows) && isMissing(db, index, key.slice(index.rows.length))) {
    throw malformedRow(key, 'the index by time does not have it, so that it is never removed');
  }
  if (!key.startsWith(index.prefix)) return;
  const [name = ''] = namesIn([key], index);
  if (index.momentOf(db, name) === null) throw malformedRow(key, 'it leads to no row that is to be removed');
}

function brokenPage(from: Cursor, cause: unknown): OutsideError {
  return malformedRow(from ?? 'of the beginning', 'the pages behind it cannot be followed', cause);
}
