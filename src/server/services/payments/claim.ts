import { isSameResource, type PaymentKey, paymentFault } from '#domain/payment/payment';
import { isAttended, type PaymentRow } from '#domain/payment/payment-row';
import type { PaymentSteps } from '#machines/payment-events';
import type { Decision, Rows } from '#ports/store';
import type { CountedLimit } from '../counted-limit.js';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';
import { boughtEvent } from './owner-watch.js';
import { mayBeFull, whyCrowded, whyFull, whyTooLong } from './payer-limits.js';
import { earlierPurchase, givenUp, namedPurchases, nameRepeat, purchaseKeys, wasSentByName } from './purchase-names.js';
import { objectToRepeat, objectToSender } from './sender.js';
import { operationOf } from './work.js';

type Claimed = Awaited<ReturnType<PaymentSteps['claim']>>;

/** Why a request is refused whose authorization belongs to another one. */
const OTHER_REQUEST_REASON = 'this authorization was used for another request: sign a new one for this request';
export const OTHER_REQUEST: PaymentOutcome = { kind: 'refused', reason: OTHER_REQUEST_REASON };

/**
 * Returns the outcome of a payment that has one, or that cannot pay by itself; null: it is to be
 * claimed. Writes nothing for strangers.
 */
export async function lookUp(
  inWork: PaymentInWork,
  work: PaidWork,
  deps: PaymentDeps,
  repeatNames: CountedLimit,
): Promise<PaymentOutcome | null> {
  let row: PaymentRow | null;
  try {
    row = await deps.store.payment(inWork.key);
    if (row === null) {
      const reason = faultOf(inWork, work, deps.clock.nowMs());
      if (reason !== null) return { kind: 'refused', reason };
      if (await wasSentByName(inWork, deps)) return null;
    }
  } catch (err) {
    deps.log.error({ ...inWork.ids, err }, 'payment cannot be looked up');
    return { kind: 'not_looked_up', cause: err };
  }
  if (row === null) return objectToSender(inWork, deps);
  const objection = await objectToRepeat(inWork, row, deps);
  if (objection !== null) return objection;
  const outcome = outcomeBy(row, inWork.fingerprint);
  if (outcome?.kind === 'answered' && work.isBuyer(outcome.secret)) await nameRepeat(inWork, deps, repeatNames);
  return outcome;
}

function outcomeBy(row: PaymentRow, fingerprint: string): PaymentOutcome | null {
  if (row.fingerprint !== fingerprint) return OTHER_REQUEST;
  if (row.state === 'SETTLED') return toAnswered(row, true);
  return row.state === 'FAILED' ? toRefused(row) : null;
}

/** What is wrong with the payment itself; known without any I/O. */
function faultOf({ payment }: PaymentInWork, { demand }: PaidWork, nowMs: number): string | null {
  if (payment.resourceUrl !== null && !isSameResource(payment.resourceUrl, demand.resourceUrl)) {
    return 'invalid_payment_requirements: the payment was made for another resource';
  }
  return paymentFault(payment, demand, Math.floor(nowMs / 1e3));
}

/**
 * Makes this process the owner of the payment, or finds out why it cannot be. It need not be on
 * disk: nothing is sent before the intent is.
 */
export async function claim(inWork: PaymentInWork, deps: PaymentDeps): Promise<Claimed> {
  const { key } = inWork;
  if (!deps.lease.isHeld()) throw new Error('this process does not hold its lease');
  const { lease, clock, lapses = clock } = deps;
  const facts = { owner: lease.id, nowMs: clock.nowMs(), lapsedByMs: lapses.nowMs() };
  inWork.term = deps.lease.term;
  const open = mayBeFull(inWork, deps.lease) ? { openOfPayerOf: key } : {};
  const keys = { payment: key, purchases: purchaseKeys(inWork), ...open };
  let others: readonly PaymentKey[] = inWork.follows === null ? [] : [inWork.follows];
  for (let look = 1; look <= LOOKS_MAX; look++) {
    const decide = (rows: Rows) => decideClaim(rows, inWork, { ...facts, others });
    const decided = await deps.store.transact({ ...keys, others }, decide, { durable: false });
    if ('unread' in decided) {
      others = decided.unread;
      continue;
    }
    const { event, row, follows = null } = decided;
    inWork.row = row;
    inWork.follows = follows;
    if (event.type === 'payment.claimed') inWork.began = true;
    return event;
  }
  throw new Error('the names of a purchase change hands faster than they can be read');
}

/**
 * Looks at the names of a purchase and at what they stand for: the second is the last, unless
 * others have bought under them between the two.
 */
const LOOKS_MAX = 5;

interface ClaimFacts {
  readonly owner: string;
  readonly nowMs: number;
  readonly lapsedByMs: number;
  /** The other payments that were read. */
  readonly others: readonly PaymentKey[];
}

/** What is left to do, and the row as it now stands if it is ours. */
interface ClaimResult {
  readonly event: Claimed;
  readonly row: PaymentRow | null;
  /** The payment that was made under a name of this purchase; its outcome is the one here. */
  readonly follows?: PaymentKey;
}

/** Payments that have to be read before anything can be decided. */
interface Unread {
  readonly unread: readonly PaymentKey[];
}

function decideClaim(
  rows: Rows,
  inWork: PaymentInWork,
  { owner, nowMs, lapsedByMs, others }: ClaimFacts,
): Decision<ClaimResult | Unread> {
  const { payment: found } = rows;
  const outcome = found === null ? null : outcomeBy(found, inWork.fingerprint);
  if (outcome !== null) return nothingOwned(toClaimed(outcome));
  if (found?.state === 'SETTLING' || found?.state === 'CLAIMED') {
    if (found.owner !== owner && isAttended(found, rows.isOwnerAlive)) return nothingOwned({ type: 'payment.busy' });
  }
  const epoch = (found?.epoch ?? 0) + 1;
  const earlier = found?.state === 'SETTLING' ? null : earlierPurchase(rows, inWork, { others, lapsedByMs });
  if (earlier?.kind === 'unread') return { writes: {}, result: { unread: earlier.payments } };
  if (earlier?.kind === 'conflict') return nothingOwned({ type: 'purchase.conflict', by: earlier.by });
  if (earlier?.kind === 'payment') return follow(earlier.found.row, inWork);
  if (found?.state === 'SETTLING') {
    const { isUnattended: _, ...row } = found;
    return owned({ ...row, owner, epoch }, { type: 'payment.taken', epoch });
  }
  const reason = faultOf(inWork, inWork.requested, nowMs);
  if (reason !== null) return nothingOwned({ type: 'payment.refused', reason });
  const full = whyFull(rows.openOfPayer, inWork, nowMs) ?? whyTooLong(inWork, nowMs);
  if (full !== null) return nothingOwned({ type: 'payment.unavailable', reason: full });
  const row = claimRow(inWork, { owner, epoch, nowMs });
  const purchases = namedPurchases(inWork, nowMs);
  return { writes: { payment: row, purchases }, result: { event: { type: 'payment.claimed', epoch }, row } };
}

/** Waits for another payment of the same purchase, unless too many do or it has paid already. */
function follow(row: PaymentRow, inWork: PaymentInWork): Decision<ClaimResult> {
  if (row.state === 'SETTLED') return nothingOwned(boughtEvent(row));
  const crowded = whyCrowded(inWork.othersOfPayer);
  if (crowded !== null) return nothingOwned({ type: 'payment.unavailable', reason: crowded });
  return { writes: {}, result: { event: { type: 'payment.busy' }, row: null, follows: row.key } };
}

function claimRow(
  { key, payment, fingerprint, requested, isProven }: PaymentInWork,
  { owner, epoch, nowMs }: Pick<ClaimFacts, 'owner' | 'nowMs'> & Pick<PaymentRow, 'epoch'>,
): PaymentRow {
  return {
    key,
    state: 'CLAIMED',
    fingerprint,
    operation: operationOf(requested),
    requestId: requested.requestId,
    payment,
    demand: requested.demand,
    answer: '',
    ...(requested.secret === null ? {} : { buyerSecret: requested.secret }),
    intentBlock: 0,
    body: null,
    transaction: null,
    failReason: null,
    open: true,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    owner,
    epoch,
    proof: null,
    isSignedByKey: isProven,
  };
}

function owned(row: PaymentRow, event: Claimed): Decision<ClaimResult> {
  return { writes: { payment: row }, result: { event, row } };
}

function nothingOwned(event: Claimed): Decision<ClaimResult> {
  return { writes: {}, result: { event, row: null } };
}

/** An outcome that the row has shown, as the machine hears of it. */
function toClaimed(outcome: PaymentOutcome): Claimed {
  if (outcome === OTHER_REQUEST) return { type: 'payment.refused', reason: OTHER_REQUEST_REASON };
  if (outcome.kind === 'answered') return { type: 'settlement.recorded', answered: outcome };
  if (outcome.kind === 'refused') return { type: 'failure.recorded', reason: outcome.reason };
  throw new Error(`a row cannot show that a payment is ${outcome.kind}`);
}

/**
 * Gives the claim up: nothing was sent, and nothing will be. Only when this is known may a client
 * be told that nothing was charged.
 */
export function release(
  inWork: PaymentInWork,
  { epoch, end }: Parameters<PaymentSteps['release']>[0],
  { store, lease }: PaymentDeps,
): ReturnType<PaymentSteps['release']> {
  const { key } = inWork;
  return store.transact<Awaited<ReturnType<PaymentSteps['release']>>>(
    { payment: key, purchases: purchaseKeys(inWork) },
    ({ payment, purchases }) => {
      const released = { type: 'claim.released', end } as const;
      // No row: another process has removed the claim of one that it took for dead.
      if (payment === null) return { writes: {}, result: released };
      const isOurs = payment.owner === lease.id && payment.epoch === epoch;
      return isOurs
        ? { writes: { removedPayment: key, purchases: givenUp(purchases, key) }, result: released }
        : { writes: {}, result: { type: 'payment.lost' } };
    },
    { durable: false },
  );
}
