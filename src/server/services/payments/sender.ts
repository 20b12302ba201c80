import type { PaymentDeps, PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { objectToSigner } from './signer.js';

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
