import type { PaymentDemand } from '#domain/payment/payment';
import type { PaymentSteps } from '#machines/payment-events';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { freeze } from './work.js';

/**
 * Blocks before the newest one from which on a payment is honoured that was made before its request
 * came: about the life of an authorization.
 */
export const PREEMPTED_BLOCKS = 150;

type VerifyDeps = Pick<PaymentDeps, 'facilitators' | 'chain'>;

/** Why a payment is released, or that it is good. `wasPreempted`: another submitted it already. */
type Verified =
  | { readonly kind: 'valid'; readonly wasPreempted: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Verifies the payment and makes the answer meanwhile. */
export async function prepare(inWork: PaymentInWork, deps: VerifyDeps): ReturnType<PaymentSteps['prepare']> {
  const work = inWork.asked;
  const [verified, frozen] = await Promise.allSettled([verify(inWork, work.demand, deps), freeze(work)]);
  if (verified.status === 'rejected') throw verified.reason;
  const { value } = verified;
  if (value.kind !== 'valid') return { type: `payment.${value.kind}`, reason: value.reason };
  if (frozen.status === 'rejected') return { type: 'answer.declined', cause: frozen.reason };
  return { type: 'payment.prepared', answer: frozen.value, wasPreempted: value.wasPreempted };
}

/** Verification is read-only, so any facilitator may be asked. */
async function verify(inWork: PaymentInWork, demand: PaymentDemand, deps: VerifyDeps): Promise<Verified> {
  let lastReason = 'no facilitator is configured';
  for (const facilitator of deps.facilitators) {
    const verified = await facilitator.verify(inWork.payment, demand);
    if (verified.kind === 'valid') return { kind: 'valid', wasPreempted: false };
    if (verified.kind === 'invalid') return verifyOnChain(inWork, demand, verified.reason, deps);
    lastReason = verified.reason;
  }
  return { kind: 'unavailable', reason: lastReason };
}

/**
 * Anybody who sees an authorization can submit it first. Then verification fails, and we are paid
 * all the same: such a payment is honoured when its signature is the payer's own.
 */
async function verifyOnChain(
  { payment, isProven }: PaymentInWork,
  demand: PaymentDemand,
  reason: string,
  { chain }: VerifyDeps,
): Promise<Verified> {
  if (!isProven) return { kind: 'refused', reason };
  const head = await chain.head();
  if (head === null) return { kind: 'refused', reason };
  const resolution = await chain.resolve(payment, demand, Math.max(0, head.blockNumber - PREEMPTED_BLOCKS));
  return resolution.kind === 'paid' ? { kind: 'valid', wasPreempted: true } : { kind: 'refused', reason };
}
