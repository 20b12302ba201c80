import type { PaymentRow } from '#domain/payment/payment-row';
import type { PaymentDeps, PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toUnknown } from './outcomes.js';
import { objectToSigner } from './signer.js';

/**
 * The reason of what comes without the signature of its payment, whatever it asks for: whoever has
 * made a signature up learns nothing, so it is no guess about the payment.
 */
export const OTHER_SIGNATURE =
  'invalid_exact_evm_signature: this authorization came before with another signature: repeat the payment as it was';

/** How long a payment waits for those before it from its address. */
const TURN_MS_MAX = 2_000;

type SenderDeps = Pick<PaymentDeps, 'chain' | 'refused' | 'clock' | 'timers'>;

/**
 * Returns why a payment is not looked at now, or why nobody who can pay has signed it; null: it may
 * go on. Of what costs questions to others nobody gets much without paying.
 */
export async function objectToSender(inWork: PaymentInWork, deps: SenderDeps): Promise<PaymentOutcome | null> {
  const limited = await takePoints(inWork, deps);
  if (limited !== null) return limited;
  const objection = await objectToSigner(inWork, deps.chain);
  if (objection?.kind === 'refused') deps.refused.noteRefused(inWork.sender);
  return objection;
}

/**
 * Returns why a repeat is not its payer's; null: it brings the signature of its payment, or another
 * one of its payer: of a key, or of a smart wallet, whose passkey signs anew each time. What cannot
 * be told may have paid.
 */
export async function objectToRepeat(
  inWork: PaymentInWork,
  { payment, isSignedByKey }: PaymentRow,
  deps: SenderDeps,
): Promise<PaymentOutcome | null> {
  if (inWork.isProven || inWork.payment.signature === payment.signature) return null;
  const madeUp: PaymentOutcome = { kind: 'refused', reason: OTHER_SIGNATURE };
  if (isSignedByKey) return madeUp;
  const objection = await objectToSender(inWork, deps);
  // A wallet may take whatever comes for its own.
  if (objection === null) deps.refused.noteFree(inWork.sender);
  if (objection?.kind === 'refused') return madeUp;
  return objection?.kind === 'unavailable' ? { ...toUnknown(), isUnproven: true } : objection;
}

/**
 * Takes what the payment may cost its address, until it is known whether it does; null: it is taken,
 * or need not be. A crowd of which nobody knows who can pay is let in by turns.
 */
async function takePoints(
  inWork: PaymentInWork,
  { chain, refused, clock, timers }: SenderDeps,
): Promise<PaymentOutcome | null> {
  const { sender, payment } = inWork;
  const lateAtMs = clock.elapsedMs() + TURN_MS_MAX;
  for (;;) {
    const taken = refused.take(sender);
    if (taken.kind === 'taken') {
      inWork.giveBack = taken.giveBack;
      return null;
    }
    // Strangers behind the address of a wallet that can pay do not shut it out.
    if (refused.isNew(sender) && (await chain.holds(payment))) return null;
    const ms = lateAtMs - clock.elapsedMs();
    const mayWait = taken.areOut && ms > 0 && (await refused.turn(sender, { timers, ms }));
    if (!mayWait) return { kind: 'limited', retryAfterS: taken.retryAfterS };
  }
}
