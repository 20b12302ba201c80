import type { PaymentKey } from '#domain/payment/payment';
import type { PurchaseName } from '#machines/payment-events';
import type { AnswerKey, Rows, StoredAnswer } from '#ports/store';
import type { PaymentInWork } from './in-work.js';
import { operationOf, REPEAT_TO_BUYER_MS } from './work.js';

/** What was bought before under a name of a purchase. */
type EarlierPurchase =
  | { readonly kind: 'payment'; readonly key: PaymentKey }
  | { readonly kind: 'conflict'; readonly by: PurchaseName['kind'] };

/**
 * Returns the rows of the names of a purchase. An Idempotency-Key is one of a wallet and an
 * operation, a payment-identifier is one of a wallet. None where the payer's own key did not sign:
 * anybody can write another's address into a payment, and could take its names.
 */
export function purchaseKeys({ isProven, payment, work }: PaymentInWork): readonly AnswerKey[] {
  if (!isProven || work === null) return [];
  const wallet = payment.authorization.from;
  return work.names.map(({ kind, name }) => ({
    wallet,
    code: kind === 'idempotency_key' ? `purchase ${operationOf(work)}` : 'purchase identifier',
    key: name,
  }));
}

/**
 * Returns what was bought before under the names of a purchase, as their rows say; null: nothing,
 * or what was to be bought ended unpaid.
 */
export function earlierPurchase(
  purchases: Rows['purchases'],
  { key, replaces, requested }: PaymentInWork,
  lapsedByMs: number,
): EarlierPurchase | null {
  const others = requested.names.flatMap(({ kind }, n) => {
    const row = purchases[n] ?? null;
    const isOver = row === null || row.expiresAtMs <= lapsedByMs || row.body === key || row.body === replaces;
    return isOver ? [] : [{ kind, row }];
  });
  const other = others.find(({ row }) => row.fingerprint !== requested.fingerprint);
  if (other !== undefined) return { kind: 'conflict', by: other.kind };
  const [same] = others;
  return same === undefined ? null : { kind: 'payment', key: same.row.body as PaymentKey };
}

/** Returns the names of a purchase as rows that stand for its payment, to be written with its claim. */
export function namedPurchases(inWork: PaymentInWork, nowMs: number): readonly StoredAnswer[] {
  const { fingerprint } = inWork.requested;
  return purchaseKeys(inWork).map((key) => ({
    ...key,
    fingerprint,
    body: inWork.key,
    expiresAtMs: nowMs + REPEAT_TO_BUYER_MS,
  }));
}

/** Returns the rows of a claim's names once it is given up: they stand for nothing any more. */
export function givenUp(purchases: Rows['purchases'], key: PaymentKey): readonly StoredAnswer[] {
  return purchases.flatMap((row) => (row?.body === key ? [{ ...row, expiresAtMs: 0 }] : []));
}
