import DataLoader from 'dataloader';
import type { Redemption } from '#domain/credits/promo';
import type { WalletAddress } from '#domain/ids';
import type { Cursor } from '#ports/store';
import { decoded } from '../doc.js';
import type { Query } from '../query.js';
import { cursorAfter, orStoreError } from './pages.js';
import { nameOf, readSql, type Table } from './tables.js';

/** Rows that one question asks for. */
const REQUESTED_MAX = 500;

/**
 * Returns how to read one row of a table, or null if there is none. What is asked for in one turn
 * of the event loop is one question. Nothing is kept: every read sees what was committed before it.
 */
export function readerOf<Id, Row>(query: Query, table: Table<Id, Row>): (id: Id) => Promise<Row | null> {
  const sql = readSql(table as Table<never, never>);
  const load = async (ids: readonly Id[]): Promise<(Row | null | Error)[]> => {
    const keys = ids.map((id) => table.keyOf(id));
    const lists = table.keys.map((_, n) => keys.map((key) => key[n]));
    const { rows } = await orStoreError(query(`read ${table.name}`, sql, lists));
    const found = new Map(rows.map((raw) => [`${table.name}/${table.keys.map((key) => raw[key]).join('/')}`, raw]));
    return ids.map((id) => {
      const raw = found.get(nameOf(table, id));
      return raw === undefined ? null : decoded(() => table.decode(raw, id));
    });
  };
  const loader = new DataLoader(load, { cache: false, maxBatchSize: REQUESTED_MAX });
  return (id) => loader.load(id);
}

/** Returns all rows of a table that is small, in the order of its key. */
export async function readAll<Row>(query: Query, table: Table<string, Row>): Promise<readonly Row[]> {
  const sql = `SELECT * FROM ${table.name} ORDER BY ${table.keys.join(', ')}`;
  const { rows } = await orStoreError(query(`all ${table.name}`, sql));
  return rows.map((raw) => table.decode(raw, raw[table.keys[0]!] as string));
}

/** Returns a page of the wallets that redeemed a code. */
export async function readRedemptions(
  query: Query,
  code: string,
  from: Cursor,
  limit: number,
): Promise<{ readonly items: readonly Redemption[]; readonly next: Cursor }> {
  const sql = 'SELECT wallet, at_ms FROM redemption WHERE code = $1 AND wallet > $2 ORDER BY wallet LIMIT $3';
  const { rows } = await orStoreError(query('redemptions', sql, [code, from ?? '', limit]));
  const items = rows.map((raw) => ({ code, wallet: raw.wallet as WalletAddress, atMs: raw.at_ms as number }));
  return { items, next: cursorAfter(rows, limit, 'wallet') };
}
