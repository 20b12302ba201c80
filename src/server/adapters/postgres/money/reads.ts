import DataLoader from 'dataloader';
import type { Redemption } from '#domain/credits/promo';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import type { Cursor, OpenPayment, OwnedPayment, PaymentsPage } from '#ports/store';
import { malformedRow } from '../../rows/row-fields.js';
import type { Ask, Columns } from '../ask.js';
import { toOpenPayment } from './open-payments.js';
import { asked, cursorAfter, understood } from './pages.js';
import { nameOf, PAYMENT, readSql, type Table } from './tables.js';

/** Rows that one question asks for. */
const ASKED_MAX = 500;
/** Whether the owner of a payment holds its lease, by the clock of the database. */
const IS_OWNER_ALIVE =
  '(owner IS NOT NULL AND EXISTS (SELECT 1 FROM replica WHERE id = owner AND until > clock_timestamp()))';

/**
 * Returns how to read one row of a table, or null if there is none. What is asked for in one turn of
 * the event loop is one question. Nothing is kept: every read sees what was committed before it.
 */
export function readerOf<Id, Row>(ask: Ask, table: Table<Id, Row>): (id: Id) => Promise<Row | null> {
  const sql = readSql(table as Table<never, never>);
  const load = async (ids: readonly Id[]): Promise<(Row | null | Error)[]> => {
    const keys = ids.map((id) => table.keyOf(id));
    const lists = table.keys.map((_, n) => keys.map((key) => key[n]));
    const { rows } = await asked(ask(`read ${table.name}`, sql, lists));
    const found = new Map(rows.map((raw) => [`${table.name}/${table.keys.map((key) => raw[key]).join('/')}`, raw]));
    return ids.map((id) => {
      const raw = found.get(nameOf(table, id));
      return raw === undefined ? null : decoded(() => table.decode(raw, id));
    });
  };
  const loader = new DataLoader(load, { cache: false, maxBatchSize: ASKED_MAX });
  return (id) => loader.load(id);
}

function decoded<Row>(decode: () => Row): Row | Error {
  try {
    return decode();
  } catch (error) {
    return error as Error;
  }
}

/** A page of payments, chosen by a condition on their columns. */
interface PaymentsQuestion {
  readonly where: string;
  readonly from: Cursor;
  readonly limit: number;
  /** Why a row should not be on this page, or null. */
  readonly fault: (row: PaymentRow) => string | null;
}

async function readPage(ask: Ask, { where, from, limit, fault }: PaymentsQuestion): Promise<PaymentsPage> {
  const sql = `SELECT key, doc FROM payment WHERE ${where} AND key > $1 ORDER BY key LIMIT $2`;
  const { rows } = await asked(ask(`payments where ${where}`, sql, [from ?? '', limit]));
  const toRow = (raw: Columns) => {
    const row = PAYMENT.decode(raw, raw.key as PaymentKey);
    const what = fault(row);
    if (what !== null) throw malformedRow(`payment/${row.key}`, what);
    return row;
  };
  return { ...understood(rows, toRow), next: cursorAfter(rows, limit) };
}

/** Returns a page of all payments. */
export function readPayments(ask: Ask, from: Cursor, limit: number): Promise<PaymentsPage> {
  return readPage(ask, { where: 'true', from, limit, fault: () => null });
}

/** Returns a page of open payments. */
export function readOpenPayments(ask: Ask, from: Cursor, limit: number): Promise<PaymentsPage> {
  return readPage(ask, {
    where: 'open',
    from,
    limit,
    fault: ({ open }) => (open ? null : 'the payment is not open'),
  });
}

/** Returns a page of settled payments that the chain has still to be asked about. */
export function readUncheckedPayments(ask: Ask, from: Cursor, limit: number): Promise<PaymentsPage> {
  return readPage(ask, {
    where: 'unchecked',
    from,
    limit,
    fault: (row) => (isToBeChecked(row) ? null : 'the payment is not to be checked'),
  });
}

/** Returns a page of the open payments of an owner, and of those that nobody is at work on. */
export async function readOpenPaymentsFor(
  ask: Ask,
  owner: string,
  from: Cursor,
  limit: number,
): Promise<{ readonly items: readonly OpenPayment[]; readonly next: Cursor }> {
  const sql = `SELECT key, owner, epoch, state, created_at_ms, is_signed_by_key FROM payment
    WHERE open AND key > $1 AND (owner = $2 OR NOT ${IS_OWNER_ALIVE}) ORDER BY key LIMIT $3`;
  const { rows } = await asked(ask('open payments for', sql, [from ?? '', owner, limit]));
  return { items: rows.map((raw) => toOpenPayment(raw)), next: cursorAfter(rows, limit) };
}

/** Returns payments as they stand, and whether their owners are; what cannot be understood is left out. */
export async function readOwnedPayments(ask: Ask, keys: readonly PaymentKey[]): Promise<readonly OwnedPayment[]> {
  if (keys.length === 0) return [];
  const sql = `SELECT key, doc, ${IS_OWNER_ALIVE} AS is_owner_alive FROM payment WHERE key = ANY($1::text[])`;
  const { rows } = await asked(ask('owned payments', sql, [keys]));
  const byKey = new Map(rows.map((raw) => [raw.key, raw]));
  return keys.flatMap((key) => {
    const raw = byKey.get(key);
    const row = raw === undefined ? null : decoded(() => PAYMENT.decode(raw, key));
    return row === null || row instanceof Error ? [] : [{ row, isOwnerAlive: raw!.is_owner_alive as boolean }];
  });
}

/** Returns all rows of a table that is small, in the order of its key. */
export async function readAll<Row>(ask: Ask, table: Table<string, Row>): Promise<readonly Row[]> {
  const sql = `SELECT * FROM ${table.name} ORDER BY ${table.keys.join(', ')}`;
  const { rows } = await asked(ask(`all ${table.name}`, sql));
  return rows.map((raw) => table.decode(raw, raw[table.keys[0]!] as string));
}

/** Returns a page of the wallets that redeemed a code. */
export async function readRedemptions(
  ask: Ask,
  code: string,
  from: Cursor,
  limit: number,
): Promise<{ readonly items: readonly Redemption[]; readonly next: Cursor }> {
  const sql = 'SELECT wallet, at_ms FROM redemption WHERE code = $1 AND wallet > $2 ORDER BY wallet LIMIT $3';
  const { rows } = await asked(ask('redemptions', sql, [code, from ?? '', limit]));
  const items = rows.map((raw) => ({ code, wallet: raw.wallet as WalletAddress, atMs: raw.at_ms as number }));
  return { items, next: cursorAfter(rows, limit, 'wallet') };
}
