import { OutsideError } from '#domain/errors';
import type { Authorization, PaymentDemand, PaymentKey, SignedPayment } from '#domain/payment/payment';
import { PAYMENT_STATES, type PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import type { Cursor, OpenPayment, PaymentsPage } from '#ports/store';
import { page, type Rows, readRaw } from '../raw.js';
import {
  address,
  count,
  digits,
  fields,
  flag,
  list,
  malformedRow,
  oneOf,
  ROW_VERSION,
  text,
  textOrNull,
} from '../row-fields.js';
import {
  OPEN_PAYMENTS,
  openOfPayerRange,
  openPaymentKey,
  PAYMENTS,
  paymentOfIndexKey,
  paymentRowKey,
  UNCHECKED_PAYMENTS,
} from './keys.js';
import { decodeProof, encodeProof, writeProof } from './proofs.js';

/*
 * Payment rows as they lie in LMDB: arrays like all others. What was signed is kept in full and as it came, although the row's
 * key says a part of it; amounts of ours are decimal text, so that no engine's number can round them.
 */

const VERSIONS = [1, 2] as const;
/** Places of the fields that rows may have. */
const OWNER = 15;
const EPOCH = 16;
const BUYER_SECRET = 17;
const PROOF = 18;
const SIGNED_BY_KEY = 19;
const UNATTENDED = 20;
const REFUNDED_AT = 21;
const FIELDS = 22;
const FIELDS_OPTIONAL = 7;

/** No payer may have as many; it bounds the work of one look. */
const OPEN_OF_PAYER_MAX = 100;

/** Writes a payment row and its places in the indexes. To be called inside a write transaction. */
export function writePayment(db: Rows, row: PaymentRow): void {
  // Before it is settled a row has no proof, and nothing that follows from one.
  if (row.proof !== null) writeProof(db, row);
  db.put(paymentRowKey(row.key), encodePayment(row));
  const indexKey = openPaymentKey(row.key);
  if (row.open) db.put(indexKey, encodeOpen(row));
  else db.remove(indexKey);
}

/** Removes a payment row and its place among the open ones. To be called inside a write transaction. */
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

/** Returns a page of open payments, found by the index alone: what is settled costs nothing here. */
export function readOpenPayments(db: Rows, from: Cursor, limit: number): PaymentsPage {
  const fault = ({ open }: PaymentRow) => (open ? null : 'the payment is not open');
  return readIndexed(db, { prefix: OPEN_PAYMENTS, from, limit, fault });
}

/** Returns a page of settled payments that the chain has still to be asked about, found likewise. */
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

/** Returns the open payments of this payment's payer. */
export function readOpenOfPayer(db: Rows, key: PaymentKey): readonly OpenPayment[] {
  const range = { ...openOfPayerRange(key), limit: OPEN_OF_PAYER_MAX };
  // Most payers have none, and to count costs half as much as to list.
  if (db.getKeysCount({ ...range }) === 0) return [];
  const keys = [...db.getKeys(range)];
  return keys.map((indexKey) => decodeOpen(indexKey, readRaw(db, indexKey)));
}

function encodeOpen({ owner, epoch, state, createdAtMs, isSignedByKey }: PaymentRow): unknown {
  return [ROW_VERSION, owner, epoch, PAYMENT_STATES.indexOf(state), createdAtMs, isSignedByKey];
}

/** What was open before payments had owners has the version alone; it was SETTLING or FAILED long ago. */
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

function encodePayment(row: PaymentRow): unknown {
  return [
    ROW_VERSION,
    PAYMENT_STATES.indexOf(row.state),
    row.fingerprint,
    row.operation,
    row.requestId,
    encodeSigned(row.payment),
    encodeDemand(row.demand),
    row.answer,
    row.intentBlock,
    row.body,
    row.transaction,
    row.failReason,
    row.open,
    row.createdAtMs,
    row.updatedAtMs,
    ...trailing(row),
  ];
}

/** Fields that rows have had since. Those from before had no owner, and end before it. */
function trailing({ owner, epoch, buyerSecret, proof, isSignedByKey, ...rare }: PaymentRow): readonly unknown[] {
  const { isUnattended = false, refundedAtMs } = rare;
  const fields = [owner, epoch, buyerSecret ?? null, proof === null ? null : encodeProof(proof), isSignedByKey];
  // Few rows have one of these, and the others end before them.
  if (refundedAtMs !== undefined) return [...fields, isUnattended, refundedAtMs];
  return isUnattended ? [...fields, true] : fields;
}

function decodePayment(rowKey: string, raw: unknown, key: PaymentKey): PaymentRow {
  const row = fields(rowKey, raw, FIELDS, FIELDS_OPTIONAL);
  const buyerSecret = textOrNull(rowKey, row[BUYER_SECRET] ?? null, 'buyerSecret');
  return {
    key,
    state: oneOf(rowKey, PAYMENT_STATES, row[1], 'state'),
    fingerprint: text(rowKey, row[2], 'fingerprint'),
    operation: text(rowKey, row[3], 'operation'),
    requestId: text(rowKey, row[4], 'requestId'),
    payment: decodeSigned(rowKey, row[5]),
    demand: decodeDemand(rowKey, row[6]),
    answer: text(rowKey, row[7], 'answer'),
    intentBlock: count(rowKey, row[8], 'intentBlock'),
    body: textOrNull(rowKey, row[9], 'body'),
    transaction: textOrNull(rowKey, row[10], 'transaction'),
    failReason: textOrNull(rowKey, row[11], 'failReason'),
    open: flag(rowKey, row[12], 'open'),
    createdAtMs: count(rowKey, row[13], 'createdAtMs'),
    updatedAtMs: count(rowKey, row[14], 'updatedAtMs'),
    ...(buyerSecret === null ? {} : { buyerSecret }),
    // Rows that were settled before receipts were looked at have no such field.
    proof: decodeProof(rowKey, row[PROOF] ?? null),
    owner: textOrNull(rowKey, row[OWNER] ?? null, 'owner'),
    epoch: count(rowKey, row[EPOCH] ?? 1, 'epoch'),
    isSignedByKey: flag(rowKey, row[SIGNED_BY_KEY] ?? true, 'isSignedByKey'),
    ...(flag(rowKey, row[UNATTENDED] ?? false, 'isUnattended') ? { isUnattended: true } : {}),
    ...(row[REFUNDED_AT] === undefined ? {} : { refundedAtMs: count(rowKey, row[REFUNDED_AT], 'refundedAtMs') }),
  };
}

function encodeSigned({
  version,
  asset,
  authorization,
  signature,
  paymentIdentifier,
  resourceUrl,
}: SignedPayment): unknown {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const signed = [from, to, value, validAfter, validBefore, nonce];
  return [VERSIONS.indexOf(version), asset, signed, signature, paymentIdentifier, resourceUrl];
}

function decodeSigned(rowKey: string, raw: unknown): SignedPayment {
  const payment = list(rowKey, raw, 'payment');
  return {
    version: oneOf(rowKey, VERSIONS, payment[0], 'payment.version'),
    asset: address(rowKey, payment[1], 'payment.asset'),
    authorization: decodeAuthorization(rowKey, payment[2]),
    signature: text(rowKey, payment[3], 'payment.signature'),
    paymentIdentifier: textOrNull(rowKey, payment[4], 'payment.paymentIdentifier'),
    resourceUrl: textOrNull(rowKey, payment[5], 'payment.resourceUrl'),
  };
}

function decodeAuthorization(rowKey: string, raw: unknown): Authorization {
  const signed = list(rowKey, raw, 'authorization');
  return {
    from: address(rowKey, signed[0], 'authorization.from'),
    to: address(rowKey, signed[1], 'authorization.to'),
    value: digits(rowKey, signed[2], 'authorization.value'),
    validAfter: digits(rowKey, signed[3], 'authorization.validAfter'),
    validBefore: digits(rowKey, signed[4], 'authorization.validBefore'),
    nonce: text(rowKey, signed[5], 'authorization.nonce'),
  };
}

function encodeDemand({ resourceUrl, description, amountMicros, asset, payTo }: PaymentDemand): unknown {
  return [resourceUrl, description, String(amountMicros), asset, payTo];
}

function decodeDemand(rowKey: string, raw: unknown): PaymentDemand {
  const demand = list(rowKey, raw, 'demand');
  return {
    resourceUrl: text(rowKey, demand[0], 'demand.resourceUrl'),
    description: text(rowKey, demand[1], 'demand.description'),
    amountMicros: BigInt(digits(rowKey, demand[2], 'demand.amountMicros')),
    asset: address(rowKey, demand[3], 'demand.asset'),
    payTo: address(rowKey, demand[4], 'demand.payTo'),
  };
}
