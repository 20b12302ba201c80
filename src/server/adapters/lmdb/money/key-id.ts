import { fields, ROW_VERSION, text } from '../../rows/row-fields.js';
import { type Rows, readRaw } from '../raw.js';

/**
 * Names the key that lies beside the store. Rows that were written with it are of no use without
 * it.
 */
const KEY_ID = 'store-key';

/**
 * Remembers which key the store is written with, once and for all who open it; who only reads looks
 * whether it is there.
 */
export function bindKey(db: Rows, useKey: (existing: string | null) => string, readsOnly: boolean): void {
  const raw = readRaw(db, KEY_ID);
  const existing = raw === undefined ? null : text(KEY_ID, fields(KEY_ID, raw, 2)[1], 'id');
  const id = useKey(existing);
  if (id !== existing && !readsOnly) db.putSync(KEY_ID, [ROW_VERSION, id]);
}
