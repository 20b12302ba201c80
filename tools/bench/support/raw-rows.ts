import { open } from 'lmdb';
import { walletOf } from '#local/venue/market/deterministic-ids';
import { CREDITS, REQUEST_ID } from './charging.js';
import type { Operation } from './concurrency.js';

const AT_MS = 1_784_000_000_000;
const ADDRESS = walletOf('raw');
const NOTE_ID = 'Zm9vYmFyLjA.';

export const PUT = 'LMDB put';
export const TRANSACTION = 'LMDB transaction(() => put)';
/** What a debit does. */
export const SAME_ROWS = 'LMDB transaction(() => get, put, put)';

/**
 * A bare database, each operation awaited to the disk. The rows are those of a debit: ledger entries
 * under keys that grow, and an account for each caller with its lot and the note of its last debit.
 */
export function openRaw(path: string) {
  const options = { path, safeRestore: true };
  const db = open<unknown, string>(options);
  let position = 0;
  const append = () => {
    const key = `ledger/${String(++position).padStart(15, '0')}`;
    return db.put(key, [1, ADDRESS, position, 1, 1, CREDITS, AT_MS, 'preflight_trade', REQUEST_ID, [1, 1], position]);
  };
  const debit = (caller: number) => {
    const key = `account/${ADDRESS}${caller}`;
    db.get(key);
    append();
    const lot = (left: number) => [1, 2, CREDITS, left, AT_MS, AT_MS, 'benchmark'];
    const note = [`${NOTE_ID}${position}`, 'preflight_trade', REQUEST_ID, AT_MS, [lot(1)]];
    db.put(key, [1, position, position, [lot(CREDITS - position)], [note]]);
  };
  const onDisk = (commit: Promise<unknown>) => commit.then(() => db.flushed);
  const operations: Readonly<Record<typeof PUT | typeof TRANSACTION | typeof SAME_ROWS, Operation>> = {
    [PUT]: () => onDisk(append()),
    [TRANSACTION]: () => onDisk(db.transaction(() => void append())),
    [SAME_ROWS]: (caller) => onDisk(db.transaction(() => debit(caller))),
  };
  return { operations, close: () => db.close() };
}
