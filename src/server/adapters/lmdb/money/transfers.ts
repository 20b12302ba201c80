import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import { isToBeChecked } from '#domain/payment/proof';
import type { ProvenTransfer, RowKeys } from '#ports/store';
import { fields, ROW_VERSION, text } from '../../rows/row-fields.js';
import { putRow, type Rows, readRaw } from '../raw.js';
import { transferKey, uncheckedPaymentKey } from './keys.js';

/**
 * Writes which payment is to be checked, and what its transfer is the proof of; to be written with
 * the row.
 */
export function writeProof(db: Rows, { key, proof }: PaymentRow): void {
  const indexKey = uncheckedPaymentKey(key);
  if (isToBeChecked({ proof })) putRow(db, indexKey, ROW_VERSION);
  else db.remove(indexKey);
  if (proof?.kind === 'proven') putRow(db, transferKey(proof), [ROW_VERSION, key]);
}

/** Removes that a transfer is the proof of a payment; not that it is another's. */
export function removeTransfer(db: Rows, { payment, ...position }: ProvenTransfer): void {
  if (readTransfer(db, position) === payment) db.remove(transferKey(position));
}

/** Returns the payment that a transfer is the proof of, or null. */
export function readTransfer(db: Rows, position: NonNullable<RowKeys['transfer']>): PaymentKey | null {
  const key = transferKey(position);
  const raw = readRaw(db, key);
  return raw === undefined ? null : (text(key, fields(key, raw, 2)[1], 'payment') as PaymentKey);
}
