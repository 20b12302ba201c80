import type { PaymentKey } from '#domain/payment/payment';
import { PAYMENT_STATES, type PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import { LEASE_MS } from '#ports/leases';
import type { Cursor, OpenPayment, OwnedPayment, PaymentsPage } from '#ports/store';
import { malformedRow } from '../../rows/row-fields.js';
import { decoded, understood } from '../doc.js';
import { isGood } from '../good-until.js';
import type { Columns, Query } from '../query.js';
import { cursorAfter, orStoreError } from './pages.js';
import { PAYMENT } from './tables.js';

/** Whether the owner of a payment holds its lease, by the clock of the database. */
const IS_OWNER_ALIVE = `(owner IS NOT NULL AND EXISTS (
  SELECT 1 FROM replica WHERE id = owner AND ${isGood('until', LEASE_MS)}))`;

/** Which payments a page has: a condition on their columns, and why a row should not be there. */
const KINDS = {
  all: { where: 'true', fault: () => null },
  open: { where: 'open', fault: ({ open }) => (open ? null : 'the payment is not open') },
  /** Those that are settled, and that the chain has still to be asked about. */
  unchecked: { where: 'unchecked', fault: (row) => (isToBeChecked(row) ? null : 'the payment is not to be checked') },
} satisfies Record<string, { readonly where: string; readonly fault: (row: PaymentRow) => string | null }>;

/** Returns a page of payments of a kind. */
export async function readPayments(
  query: Query,
  kind: keyof typeof KINDS,
  from: Cursor,
  limit: number,
): Promise<PaymentsPage> {
  const { where, fault } = KINDS[kind];
  const sql = `SELECT key, doc FROM payment WHERE ${where} AND key > $1 ORDER BY key LIMIT $2`;
  const { rows } = await orStoreError(query(`payments where ${where}`, sql, [from ?? '', limit]));
  const toRow = (raw: Columns) => {
    const row = PAYMENT.decode(raw, raw.key as PaymentKey);
    const what = fault(row);
    if (what !== null) throw malformedRow(`payment/${row.key}`, what);
    return row;
  };
  return { ...understood(rows, toRow), next: cursorAfter(rows, limit) };
}

/** Returns a page of the open payments of an owner, and of those that nobody is at work on. */
export async function readOpenPaymentsFor(
  query: Query,
  owner: string,
  from: Cursor,
  limit: number,
): Promise<{ readonly items: readonly OpenPayment[]; readonly next: Cursor }> {
  const sql = `SELECT key, owner, epoch, state, created_at_ms, is_signed_by_key FROM payment
    WHERE open AND key > $1 AND (owner = $2 OR NOT ${IS_OWNER_ALIVE}) ORDER BY key LIMIT $3`;
  const { rows } = await orStoreError(query('open payments for', sql, [from ?? '', owner, limit]));
  return { items: rows.map((raw) => toOpenPayment(raw)), next: cursorAfter(rows, limit) };
}

/**
 * Returns payments as they stand, and whether their owners are; what cannot be understood is left
 * out.
 */
export async function readOwnedPayments(query: Query, keys: readonly PaymentKey[]): Promise<readonly OwnedPayment[]> {
  if (keys.length === 0) return [];
  const sql = `SELECT key, doc, ${IS_OWNER_ALIVE} AS is_owner_alive FROM payment WHERE key = ANY($1::text[])`;
  const { rows } = await orStoreError(query('owned payments', sql, [keys]));
  const byKey = new Map(rows.map((raw) => [raw.key, raw]));
  return keys.flatMap((key) => {
    const raw = byKey.get(key);
    const row = raw === undefined ? null : decoded(() => PAYMENT.decode(raw, key));
    return row === null || row instanceof Error ? [] : [{ row, isOwnerAlive: raw!.is_owner_alive as boolean }];
  });
}

/** Returns an open payment from the columns of its row. */
export function toOpenPayment(raw: Columns): OpenPayment {
  const key = raw.key as PaymentKey;
  const state = PAYMENT_STATES.find((outcome) => outcome === raw.state);
  if (state === undefined) throw malformedRow(`payment/${key}`, 'state is not one that is known');
  return {
    key,
    owner: raw.owner as string | null,
    epoch: raw.epoch as number,
    state,
    createdAtMs: raw.created_at_ms as number,
    isSignedByKey: raw.is_signed_by_key as boolean,
  };
}
