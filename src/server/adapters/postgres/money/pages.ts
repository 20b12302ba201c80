import type { Cursor } from '#ports/store';
import { storeError } from '../faults.js';
import type { Columns } from '../query.js';

/** Waits for the result of a query; what fails, fails as a store does. */
export async function orStoreError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw storeError(error);
  }
}

/** Returns where the page behind these rows begins, if several columns order them. */
export function nextAfter(rows: readonly Columns[], limit: number, keys: readonly string[]): Cursor {
  const last = rows.at(-1);
  return rows.length < limit || last === undefined ? null : JSON.stringify(keys.map((column) => last[column]));
}

/** Returns where the page behind these rows begins. */
export function cursorAfter(rows: readonly Columns[], limit: number, column = 'key'): Cursor {
  return rows.length < limit ? null : String(rows.at(-1)?.[column] ?? '') || null;
}
