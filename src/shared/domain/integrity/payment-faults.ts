import { type PaymentKey, paymentKey } from '../payment/payment.js';
import type { PaymentOwner, PaymentRow } from '../payment/payment-row.js';
import { isToBeChecked } from '../payment/proof.js';
import { broken, type StoreFault } from './fault.js';

/** What follows from a payment's row, as the store keeps it beside the row. */
export interface StoredIndexes {
  readonly openPayment: (PaymentOwner & Pick<PaymentRow, 'key' | 'state' | 'createdAtMs' | 'isSignedByKey'>) | null;
  readonly isUnchecked: boolean;
  readonly transferOf: PaymentKey | null;
}

/** Returns what is wrong with a payment's row, and with what is kept beside it. */
export function paymentFaults(row: PaymentRow, indexes: StoredIndexes): readonly StoreFault[] {
  const what = [...rowFaults(row), ...stateFaults(row), ...indexFaults(row, indexes)];
  return what.map((text) => broken(`payment ${row.key}`, text));
}

function rowFaults(row: PaymentRow): readonly string[] {
  const faults: string[] = [];
  if (paymentKey(row.payment) !== row.key) faults.push(`it holds the payment ${paymentKey(row.payment)}`);
  const { value } = row.payment.authorization;
  if (BigInt(value) !== row.demand.amountMicros) {
    faults.push(`${value} micro-USDC were signed, and ${row.demand.amountMicros} demanded`);
  }
  if (row.epoch < 1) faults.push(`its epoch is ${row.epoch}`);
  return faults;
}

/** What each state says of the rest of the row (docs/payments.md, "Two durable steps"). */
function stateFaults(row: PaymentRow): readonly string[] {
  const { state, open, transaction, body, answer, failReason, proof } = row;
  const faults: string[] = [];
  if (state === 'SETTLED') {
    if (transaction === null) faults.push('it is SETTLED by no transaction');
    if (open) faults.push('it is SETTLED, and open');
    // Those of old payments are taken away together.
    if (body === null && answer !== '') faults.push('it is SETTLED, and has no body to repeat');
    return faults;
  }
  if (state !== 'FAILED' && !open) faults.push(`it is ${state}, and no process works on it`);
  if (state === 'FAILED' && failReason === null) faults.push('it is FAILED for no reason');
  if (transaction !== null || body !== null || proof !== null) {
    faults.push(`it is ${state}, and has what only a settled payment has`);
  }
  return faults;
}

function indexFaults(row: PaymentRow, { openPayment, isUnchecked, transferOf }: StoredIndexes): readonly string[] {
  const faults: string[] = [];
  if (row.open && openPayment === null) faults.push('it is open, and not in the list of open payments');
  if (!row.open && openPayment !== null) faults.push('it is not open, and in the list of open payments');
  if (row.open && openPayment !== null && !isSameOwner(row, openPayment)) {
    faults.push('the list of open payments says another owner or state of it');
  }
  if (isToBeChecked(row) !== isUnchecked) {
    faults.push(
      `it is ${isUnchecked ? '' : 'not '}in the list of unchecked payments, and should${isUnchecked ? ' not' : ''} be`,
    );
  }
  if (row.proof?.kind === 'proven' && transferOf !== row.key) {
    faults.push(`its transfer is the proof of ${transferOf ?? 'no payment'}`);
  }
  return faults;
}

/** What was opened before payments had owners says nothing of them in the list. */
function isSameOwner(row: PaymentRow, listed: NonNullable<StoredIndexes['openPayment']>): boolean {
  if (listed.createdAtMs === 0) return true;
  return (
    listed.owner === row.owner &&
    listed.epoch === row.epoch &&
    listed.state === row.state &&
    listed.createdAtMs === row.createdAtMs &&
    listed.isSignedByKey === row.isSignedByKey
  );
}
