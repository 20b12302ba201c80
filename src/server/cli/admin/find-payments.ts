import { InvalidArgumentError } from 'commander';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { pagesOf } from '#services/integrity/pages';

const HASH = /^0x[0-9a-f]{64}$/;
/** Payments that an error names: a transaction can pay hundreds. */
const NAMED_MAX = 20;

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
 * Returns the payment of a transaction, or else of an authorization's nonce. A payer chooses its
 * nonce, and can choose what is the transaction or the nonce of somebody else. Throws where there
 * is none, and where there are several.
 */
export async function paymentOf(store: Store, hash: string, owner?: WalletAddress): Promise<PaymentRow> {
  const found = await paymentsThat(store, ({ transaction, payment: { authorization } }) => {
    if (owner !== undefined && authorization.from !== owner) return false;
    return transaction === hash || authorization.nonce === hash;
  });
  const paid = found.filter(({ transaction }) => transaction === hash);
  const [row, ...others] = paid.length > 0 ? paid : found;
  if (row === undefined) throw new Error(`no payment has the transaction or nonce ${hash}: it is none of ours`);
  if (others.length > 0) throw new Error(severalText(hash, [row, ...others]));
  return row;
}

function severalText(hash: string, rows: readonly PaymentRow[]): string {
  const named = rows.slice(0, NAMED_MAX).map(({ payment: { authorization } }) => {
    return `  wallet ${authorization.from} nonce ${authorization.nonce}`;
  });
  const more = rows.length > named.length ? [`  and ${rows.length - named.length} more`] : [];
  const what = `${rows.length} payments have the transaction or nonce ${hash}: say which by its nonce, and --wallet`;
  return [what, ...named, ...more].join('\n');
}

/** Reads an argument that is the hash of a transaction, or a nonce. */
export function paymentHash(text: string): string {
  const hash = text.toLowerCase();
  if (!HASH.test(hash)) throw new InvalidArgumentError('Give a hash: 0x and 64 hexadecimal digits.');
  return hash;
}
