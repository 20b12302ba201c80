import { OutsideError } from '#domain/errors';
import type { PaymentKey } from '#domain/payment/payment';
import { answeredAtMs, PAYMENT_STATES, type PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import type { Cursor, OpenPayment, PaymentsPage } from '#ports/store';
import { decodePayment, encodePayment } from '../../rows/payment-rows.js';
import { count, fields, flag, malformedRow, oneOf, ROW_VERSION, textOrNull } from '../../rows/row-fields.js';
import { page, putRow, type Rows, readRaw } from '../raw.js';
import { type ByTime, moveByTime } from './by-time.js';
import {
  ANSWERED_PAYMENTS,
  OPEN_PAYMENTS,
  openOfPayerRange,
  openPaymentKey,
  PAYMENTS,
  paymentOfIndexKey,
  paymentRowKey,
  UNCHECKED_PAYMENTS,
} from './keys.js';
import { writeProof } from './transfers.js';

/* Payments in LMDB: rows, and indices that are written in the transaction of their row. */

/** Settled payments whose answers are kept, by when they were settled. */
export const PAYMENTS_BY_SETTLEMENT: ByTime = {
  prefix: ANSWERED_PAYMENTS,
  rows: PAYMENTS,
  momentOf(db, name) {
    try {
      const row = readPayment(db, name as PaymentKey);
      return row === null ? null : answeredAtMs(row);
    } catch {
      return null;
    }
  },
};

/** Open payments of a payer that are looked at: far more than it may have beside FAILED ones. */
const OPEN_OF_PAYER_MAX = 1_000;

/**
 * Writes a payment row and its places in the indexes. `former`: the row as it stood. To be called
 * inside a write transaction.
 */
export function writePayment(db: Rows, row: PaymentRow, former: PaymentRow | null): void {
  // Before it is settled a row has no proof, and nothing that follows from one.
  if (row.proof !== null) writeProof(db, row);
  putRow(db, paymentRowKey(row.key), encodePayment(row));
  const indexKey = openPaymentKey(row.key);
  if (row.open) putRow(db, indexKey, encodeOpen(row));
  else db.remove(indexKey);
  const fromMs = former === null ? null : answeredAtMs(former);
  moveByTime(db, PAYMENTS_BY_SETTLEMENT, { name: row.key, fromMs, toMs: answeredAtMs(row) });
}

/**
 * Removes a payment row and its place among the open ones. To be called inside a write transaction.
 */
export function removePayment(db: Rows, key: PaymentKey): void {
  db.remove(paymentRowKey(key));
  db.remove(openPaymentKey(key));
}

/** Returns a payment, or null. Throws the OutsideError that names a malformed row. */
export function readPayment(db: Rows, key: PaymentKey): PaymentRow | null {
  const rowKey = paymentRowKey(key);
  const raw = readRaw(db, rowKey);
  return raw === undefined ? null : decodePayment(rowKey, raw, key);
}

/**
 * Returns a page of open payments, found by the index alone: what is settled costs nothing here.
 */
export function readOpenPayments(db: Rows, from: Cursor, limit: number): PaymentsPage {
  const fault = ({ open }: PaymentRow) => (open ? null : 'the payment is not open');
  return readIndexed(db, { prefix: OPEN_PAYMENTS, from, limit, fault });
}

/**
 * Returns a page of settled payments that the chain has still to be asked about, found likewise.
 */
export function readUncheckedPayments(db: Rows, from: Cursor, limit: number): PaymentsPage {
  const fault = (row: PaymentRow) => (isToBeChecked(row) ? null : 'the payment is not to be checked');
  return readIndexed(db, { prefix: UNCHECKED_PAYMENTS, from, limit, fault });
}

/** Returns a page of all payments. */
export function readPayments(db: Rows, from: Cursor, limit: number): PaymentsPage {
  return readIndexed(db, { prefix: PAYMENTS, from, limit, fault: () => null });
}

interface IndexQuestion {
  readonly prefix: string;
  readonly from: Cursor;
  readonly limit: number;
  /** Why a row should not be in this index, or null. */
  readonly fault: (row: PaymentRow) => string | null;
}

function readIndexed(db: Rows, { prefix, from, limit, fault }: IndexQuestion): PaymentsPage {
  const { keys, next } = page(db, prefix, from, limit);
  const items: PaymentRow[] = [];
  const faults: OutsideError[] = [];
  for (const indexKey of keys) {
    try {
      const row = readPayment(db, paymentOfIndexKey(indexKey, prefix));
      const what = row === null ? 'there is no such payment' : fault(row);
      if (row === null || what !== null) throw malformedRow(indexKey, what ?? '');
      items.push(row);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      faults.push(error);
    }
  }
  return { items, faults, next };
}

/** Returns a page of open payments as their index shows them, without a look at their rows. */
export function readOpenIndex(
  db: Rows,
  from: Cursor,
  limit: number,
): { readonly items: readonly OpenPayment[]; readonly next: Cursor } {
  const { keys, next } = page(db, OPEN_PAYMENTS, from, limit);
  return { items: keys.map((indexKey) => decodeOpen(indexKey, readRaw(db, indexKey))), next };
}

/** Returns an open payment as its index shows it, or null. */
export function readOpen(db: Rows, key: PaymentKey): OpenPayment | null {
  const indexKey = openPaymentKey(key);
  const raw = readRaw(db, indexKey);
  return raw === undefined ? null : decodeOpen(indexKey, raw);
}

/** Returns the open payments of this payment's payer, without those that are FAILED. */
export function readOpenOfPayer(db: Rows, key: PaymentKey): readonly OpenPayment[] {
  const range = { ...openOfPayerRange(key), limit: OPEN_OF_PAYER_MAX };
  // Most payers have none, and to count costs half as much as to list.
  if (db.getKeysCount({ ...range }) === 0) return [];
  const keys = [...db.getKeys(range)];
  return keys.map((indexKey) => decodeOpen(indexKey, readRaw(db, indexKey))).filter(({ state }) => state !== 'FAILED');
}

function encodeOpen({ owner, epoch, state, createdAtMs, isSignedByKey }: PaymentRow): unknown {
  return [ROW_VERSION, owner, epoch, PAYMENT_STATES.indexOf(state), createdAtMs, isSignedByKey];
}

/**
 * What was open before payments had owners has the version alone; it was SETTLING or FAILED long
 * ago.
 */
function decodeOpen(indexKey: string, raw: unknown): OpenPayment {
  const row = raw === ROW_VERSION ? [ROW_VERSION, null, 1, 0, 0, true] : fields(indexKey, raw, 6);
  return {
    key: paymentOfIndexKey(indexKey, OPEN_PAYMENTS),
    owner: textOrNull(indexKey, row[1], 'owner'),
    epoch: count(indexKey, row[2], 'epoch'),
    state: oneOf(indexKey, PAYMENT_STATES, row[3], 'state'),
    createdAtMs: count(indexKey, row[4], 'createdAtMs'),
    isSignedByKey: flag(indexKey, row[5], 'isSignedByKey'),
  };
}
