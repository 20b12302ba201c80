import type { PaymentKey } from '#domain/payment/payment';
import type { PurchaseName } from '#machines/payment-events';
import type { AnswerKey, OwnedPayment, Rows, StoredAnswer } from '#ports/store';
import type { CountedLimit, CountLimit } from '../counted-limit.js';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { boundFingerprint, operationOf, REPEAT_TO_BUYER_MS } from './work.js';

/** What was bought before under a name of a purchase. */
type EarlierPurchase =
  | { readonly kind: 'payment'; readonly found: OwnedPayment }
  | { readonly kind: 'conflict'; readonly by: PurchaseName['kind'] }
  /** The payments that the names stand for are to be read first. */
  | { readonly kind: 'unread'; readonly payments: readonly PaymentKey[] };

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
 * Returns what was bought before under the names of a purchase, as their rows say and the `others`
 * that were read with them; null: nothing, or what was to be bought ended unpaid.
 */
export function earlierPurchase(
  { purchases, others: found }: Pick<Rows, 'purchases' | 'others'>,
  { key, requested }: PaymentInWork,
  { others, lapsedByMs }: { readonly others: readonly PaymentKey[]; readonly lapsedByMs: number },
): EarlierPurchase | null {
  const named = requested.names.flatMap(({ kind }, n) => {
    const row = purchases[n] ?? null;
    const isOver = row === null || row.expiresAtMs <= lapsedByMs || row.body === key;
    return isOver ? [] : [{ kind, row, payment: row.body as PaymentKey }];
  });
  const payments = named.map(({ payment }) => payment);
  if (!payments.every((payment) => others.includes(payment))) return { kind: 'unread', payments };
  const standing = named.flatMap(({ kind, row, payment }) => {
    const one = found[others.indexOf(payment)] ?? null;
    return standsFor(one, row.fingerprint) ? [{ kind, row, found: one }] : [];
  });
  const other = standing.find(({ row }) => row.fingerprint !== requested.fingerprint);
  if (other !== undefined) return { kind: 'conflict', by: other.kind };
  const [same] = standing;
  return same === undefined ? null : { kind: 'payment', found: same.found };
}

/**
 * Whether a payment is that of a request, and has paid or may yet. A name outlives the claim of a
 * process that has died: its authorization may have bought something else since.
 */
export function standsFor(found: OwnedPayment | null, request: string): found is OwnedPayment {
  if (found === null) return false;
  const { row, isOwnerAlive } = found;
  if (row.fingerprint !== boundFingerprint(request, row.payment)) return false;
  return row.state === 'CLAIMED' ? isOwnerAlive : row.state !== 'FAILED';
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

/** Repeats that may bring names to one payment, each of which is kept for a week. */
export const REPEAT_NAMES: CountLimit = { windowS: 3_600, max: 10 };

/**
 * Lets the names that came with a buyer's repeat of its payment stand for it too, where they stand
 * for nothing yet. Never rejects: the answer is its buyer's in any case.
 */
export async function nameRepeat(
  inWork: PaymentInWork,
  { store, clock, lapses = clock, log }: PaymentDeps,
  limit: CountedLimit,
): Promise<void> {
  const purchases = purchaseKeys(inWork);
  const isFree = (row: StoredAnswer | null) => row === null || row.expiresAtMs <= lapses.nowMs();
  try {
    if (!(await Promise.all(purchases.map((name) => store.answer(name)))).some(isFree)) return;
    if (limit.waitS(inWork.key) !== null) return;
    limit.note(inWork.key);
    await store.transact({ purchases }, (rows) => {
      const named = namedPurchases(inWork, clock.nowMs()).filter((_, n) => isFree(rows.purchases[n] ?? null));
      return { writes: { purchases: named }, result: null };
    });
  } catch (err) {
    log.error({ ...inWork.ids, err }, 'the name of a repeated purchase is not kept');
  }
}

/** Returns the rows of a claim's names once it is given up: they stand for nothing any more. */
export function givenUp(purchases: Rows['purchases'], key: PaymentKey): readonly StoredAnswer[] {
  return purchases.flatMap((row) => (row?.body === key ? [{ ...row, expiresAtMs: 0 }] : []));
}
