import { OutsideError } from '#domain/errors';
import type { Cursor, RowsPage } from '#ports/store';
import { page, type Rows } from './raw.js';

/**
 * Returns a page of the rows below a prefix. `rowOf` gets a key and what of it follows the prefix;
 * null is no row of this listing. What it throws about one row is a fault of the page.
 */
export function listedPage<Row>(
  db: Rows,
  { prefix, from, limit }: { readonly prefix: string; readonly from: Cursor; readonly limit: number },
  rowOf: (key: string, rest: string) => Row | null,
): RowsPage<Row> {
  const { keys, next } = page(db, prefix, from, limit);
  const items: Row[] = [];
  const faults: OutsideError[] = [];
  for (const key of keys) {
    try {
      const row = rowOf(key, key.slice(prefix.length));
      if (row !== null) items.push(row);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      faults.push(error);
    }
  }
  return { items, faults, next };
}
