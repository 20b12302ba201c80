import { InvalidArgumentError } from 'commander';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { pagesOf } from '#services/integrity/pages';

const HASH = /^0x[0-9a-f]{64}$/;

/**
 * Hands every payment to `see`. Rows that cannot be understood are told of on stderr, and do not
 * hold up the others.
 */
export async function eachPayment(store: Store, see: (row: PaymentRow) => void): Promise<void> {
  for await (const { items, faults } of pagesOf(store.payments)) {
    for (const fault of faults) process.stderr.write(`note: ${fault.message}\n`);
    items.forEach(see);
  }
}

/**
 * All payments that fit, the newest first. Looks at every row: for operators, and not on the way of
 * a call.
 */
export async function paymentsThat(
  store: Store,
  isWanted: (row: PaymentRow) => boolean,
): Promise<readonly PaymentRow[]> {
  const found: PaymentRow[] = [];
  await eachPayment(store, (row) => {
    if (isWanted(row)) found.push(row);
  });
  return found.sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/**
 * Returns the payment of a transaction, or of an authorization's nonce. Throws where there is none.
 */
export async function paymentOf(store: Store, hash: string): Promise<PaymentRow> {
  const [row] = await paymentsThat(
    store,
    ({ transaction, payment }) => transaction === hash || payment.authorization.nonce === hash,
  );
  if (row === undefined) throw new Error(`no payment has the transaction or nonce ${hash}: it is none of ours`);
  return row;
}

/** Reads an argument that is the hash of a transaction, or a nonce. */
export function paymentHash(text: string): string {
  const hash = text.toLowerCase();
  if (!HASH.test(hash)) throw new InvalidArgumentError('Give a hash: 0x and 64 hexadecimal digits.');
  return hash;
}
