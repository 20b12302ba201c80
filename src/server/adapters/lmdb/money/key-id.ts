import { fields, ROW_VERSION, text } from '../../rows/row-fields.js';
import { putRowSync, type Rows, readRaw } from '../raw.js';

/**
 * Names the key that lies beside the store. Rows that were written with it are of no use without
 * it.
 */
const KEY_ID = 'store-key';

/** Stands for a key in a store that its first start has not come to an end with. */
const NO_KEY_YET = '';

/**
 * Opens the key that lies beside the store, and returns its id. `existing` is the id of the key that
 * the store was written with; null: with none. `isNew`: that is so because the store is. Throws
 * where that key cannot be had.
 */
export type UseKey = (existing: string | null, isNew: boolean) => string;

/** Notes in a new store that its key is still to come, for the case that this process dies first. */
export function awaitKey(db: Rows): void {
  putRowSync(db, KEY_ID, [ROW_VERSION, NO_KEY_YET]);
}

/**
 * Remembers which key the store is written with, once and for all who open it; who only reads looks
 * whether it is there.
 */
export function bindKey(db: Rows, useKey: UseKey, readsOnly: boolean): void {
  const bind = () => {
    const existing = boundKey(db);
    const isNew = existing === NO_KEY_YET;
    const id = useKey(isNew ? null : existing, isNew);
    if (id !== existing && !readsOnly) putRowSync(db, KEY_ID, [ROW_VERSION, id]);
  };
  // Of processes that come to a store without a key at once one binds it, and the others see it
  // bound. All else waits for no writer.
  const isBound = Boolean(boundKey(db));
  if (isBound || readsOnly) bind();
  else db.transactionSync(bind);
}

function boundKey(db: Rows): string | null {
  const raw = readRaw(db, KEY_ID);
  return raw === undefined ? null : text(KEY_ID, fields(KEY_ID, raw, 2)[1], 'id');
}
