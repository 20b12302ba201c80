import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { PaymentSteps } from '#machines/payment-events';
import type { PaymentDeps } from './contract.js';
import { verifiersFor } from './facilitators.js';
import type { PaymentInWork } from './in-work.js';
import { freeze, isCached } from './work.js';

/**
 * Blocks before the newest one from which on a payment is honoured that was made before its request
 * came: about the life of an authorization.
 */
export const PREEMPTED_BLOCKS = 150;

/**
 * How long after our terms were read a payment is honoured that was made before its request came.
 */
export const TERMS_HONOURED_MS = 15 * 60_000;

type VerifyDeps = Pick<PaymentDeps, 'facilitators' | 'chain' | 'purchaseSecrets' | 'clock' | 'log'>;

/** Why a payment is released, or that it is good. `wasPreempted`: another submitted it already. */
type Verified =
  | { readonly kind: 'valid'; readonly wasPreempted: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * Verifies the payment, and makes the answer after that: for somebody who may not pay nothing is
 * queued and nothing asked of the venue. An answer that is at hand is made meanwhile.
 */
export async function prepare(inWork: PaymentInWork, deps: VerifyDeps): ReturnType<PaymentSteps['prepare']> {
  const work = inWork.requested;
  const early = isCached(work) ? freeze(work) : null;
  // It is looked at below, if the payment is good.
  early?.catch(() => undefined);
  const verified = await verify(inWork, work.demand, deps);
  if (verified.kind !== 'valid') return { type: `payment.${verified.kind}`, reason: verified.reason };
  try {
    const answer = await (early ?? freeze(work));
    return { type: 'payment.prepared', answer, wasPreempted: verified.wasPreempted };
  } catch (cause) {
    return { type: 'answer.declined', cause };
  }
}

/** Verification is read-only, so any facilitator may be asked. */
async function verify(inWork: PaymentInWork, demand: PaymentDemand, deps: VerifyDeps): Promise<Verified> {
  let lastReason = 'no facilitator is configured';
  const { payment, signer } = inWork;
  for (const facilitator of verifiersFor(signer, deps.facilitators)) {
    const verified = await facilitator.verify(payment, demand, signer);
    const facts = { ...inWork.ids, facilitator: facilitator.name, ...verified };
    // Whoever may pay is told of; all others can be as many as they like.
    deps.log[verified.kind === 'valid' ? 'info' : 'debug'](facts, 'payment verified');
    if (verified.kind === 'valid') return { kind: 'valid', wasPreempted: false };
    if (verified.kind === 'invalid') return verifyOnChain(inWork, demand, verified.reason, deps);
    lastReason = verified.reason;
  }
  return { kind: 'unavailable', reason: lastReason };
}

/**
 * Anybody who sees an authorization can submit it first. Then verification fails, and we are paid
 * all the same: such a payment is honoured when its signature is the payer's own and it was made on
 * terms of ours. It may have been made for another shop of the same payee, or before a backup that
 * was restored: then it has bought something already.
 */
async function verifyOnChain(
  { payment, isProven }: PaymentInWork,
  demand: PaymentDemand,
  reason: string,
  { chain, purchaseSecrets, clock }: VerifyDeps,
): Promise<Verified> {
  if (!isProven || !isOnOurTerms(payment, purchaseSecrets, clock.nowMs())) return { kind: 'refused', reason };
  const head = await chain.head();
  if (head === null) return { kind: 'refused', reason };
  const resolution = await chain.resolve(payment, demand, Math.max(0, head.blockNumber - PREEMPTED_BLOCKS));
  return resolution.kind === 'paid' ? { kind: 'valid', wasPreempted: true } : { kind: 'refused', reason };
}

function isOnOurTerms(
  { purchaseSecret }: SignedPayment,
  secrets: VerifyDeps['purchaseSecrets'],
  nowMs: number,
): boolean {
  const issuedAtMs = purchaseSecret === undefined ? null : secrets.issuedAtMs(purchaseSecret);
  return issuedAtMs !== null && nowMs - issuedAtMs <= TERMS_HONOURED_MS;
}
