import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { closeLmdbFile, openLmdbFile } from '#adapters/lmdb/open';
import { readRaw, SCHEMA_KEY } from '#adapters/lmdb/raw';
import { ROW_VERSION } from '#adapters/rows/row-fields';

/**
 * Fields of a payment before payments had owners, proofs and refunds; of an account before debits
 * could be given back.
 */
const PAYMENT_FIELDS = 15;
const ACCOUNT_FIELDS = 4;

/** Lists of an earlier version had less in them, or were not there. */
const NOT_YET = [
  ...['transfer/', 'unchecked-payment/', 'exposure/', 'lease/', 'expiring-answer/', 'answered-payment/'],
  ...['meta/expiring-answer', 'meta/answered-payment'],
];

type Row = readonly unknown[];

/**
 * Rewrites a store, which nobody may have open, as an earlier version of the program left it: rows
 * without checksums and the fields that they have had since, and without the lists that there were
 * not. Returns how many rows have other fields now.
 */
export async function rewriteAsEarlier(path: string): Promise<number> {
  const db = openLmdbFile({ path, version: CREDITS_FILE_VERSION, remedy: '' });
  let changed = 0;
  db.transactionSync(() => {
    for (const key of [...db.getKeys({})]) {
      const value = readRaw(db, key);
      const earlier = earlierForm(key, value);
      if (earlier !== value) changed++;
      if (earlier === undefined) db.removeSync(key);
      else db.putSync(key, earlier);
    }
    db.putSync(SCHEMA_KEY, CREDITS_FILE_VERSION - 1);
  });
  await closeLmdbFile(db, path);
  return changed;
}

/** undefined: there was no such row. */
function earlierForm(key: string, value: unknown): unknown {
  if (NOT_YET.some((prefix) => key.startsWith(prefix))) return undefined;
  if (key.startsWith('open-payment/')) return ROW_VERSION;
  if (key.startsWith('payment/')) return (value as Row).slice(0, PAYMENT_FIELDS);
  if (key.startsWith('account/')) return cut(value as Row, ACCOUNT_FIELDS);
  return value;
}

function cut(row: Row, length: number): Row {
  return row.length > length ? row.slice(0, length) : row;
}
