import type { PaymentKey, SignedPayment } from '#domain/payment/payment';
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

/** What is bought, and what its request calls the purchase. */
export interface NamedPurchase {
  readonly operation: string;
  readonly names: readonly PurchaseName[];
}

type NameDeps = Pick<PaymentDeps, 'store' | 'clock' | 'lapses'>;

/**
 * Returns the rows of the names of a purchase. None where the payer's own key did not sign: anybody
 * can write another's address into a payment, and could take its names.
 */
export function purchaseKeys({ isProven, payment, work }: PaymentInWork): readonly AnswerKey[] {
  if (!isProven || work === null) return [];
  return keysOfNames(payment, { operation: operationOf(work), names: work.names });
}

/**
 * An Idempotency-Key is one of a wallet and an operation, a payment-identifier is one of a wallet.
 */
function keysOfNames({ authorization }: SignedPayment, { operation, names }: NamedPurchase): readonly AnswerKey[] {
  return names.map(({ kind, name }) => ({
    wallet: authorization.from,
    code: kind === 'idempotency_key' ? `purchase ${operation}` : 'purchase identifier',
    key: name,
  }));
}

/** Returns the rows of names that have not lapsed. */
async function rowsOf(
  keys: readonly AnswerKey[],
  { store, clock, lapses = clock }: NameDeps,
): Promise<readonly StoredAnswer[]> {
  const rows = await Promise.all(keys.map((key) => store.answer(key)));
  return rows.flatMap((row) => (row === null || row.expiresAtMs <= lapses.nowMs() ? [] : [row]));
}

/**
 * Whether a name of the purchase stands for another payment that was settled or sent: its outcome is
 * the one here, and costs nobody a question.
 */
export async function wasSentByName(inWork: PaymentInWork, deps: NameDeps): Promise<boolean> {
  for (const { body, fingerprint } of await rowsOf(purchaseKeys(inWork), deps)) {
    const row = await deps.store.payment(body as PaymentKey);
    // One that is only claimed may yet be given up, whoever is at work on it.
    if (row !== null && standsFor({ row, isOwnerAlive: false }, fingerprint)) return true;
  }
  return false;
}

/**
 * Whether a name of a purchase stands for a payment that has paid for this request, or is at work on
 * it. The payer's own key must have signed.
 */
export async function hasBegunByName(
  payment: SignedPayment,
  request: string,
  named: NamedPurchase,
  deps: NameDeps,
): Promise<boolean> {
  const rows = await rowsOf(keysOfNames(payment, named), deps);
  const same = rows.filter(({ fingerprint }) => fingerprint === request);
  const found = await deps.store.ownedPayments(same.map(({ body }) => body as PaymentKey));
  return found.some((one) => standsFor(one, request));
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
