import { paymentFault } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { PaidWork, PaymentDeps, PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';
import { objectToSigner } from './signer.js';

/** What has to be done for a payment that has come. */
export type Claimed =
  /** Nothing: its outcome is known. */
  | { readonly kind: 'over'; readonly outcome: PaymentOutcome }
  | { readonly kind: 'new'; readonly work: PaidWork }
  /** A crash or a stop left it open. */
  | { readonly kind: 'open'; readonly row: PaymentRow };

/** The answer to a request whose authorization belongs to another one. */
export const OTHER_REQUEST: PaymentOutcome = {
  kind: 'refused',
  reason: 'this authorization was used for another request: sign a new one for this request',
};

/** Looks for what the store knows of the authorization, and then at the payment itself. */
export async function claim(
  inWork: PaymentInWork,
  work: PaidWork,
  { store, chain, clock, log }: PaymentDeps,
): Promise<Claimed> {
  let row: PaymentRow | null;
  try {
    row = await store.payment(inWork.key);
  } catch (err) {
    log.error({ payment: inWork.id, err }, 'payment cannot be looked up');
    return over({ kind: 'unavailable', reason: 'the store cannot be read' });
  }
  if (row !== null) return fromRow(row, inWork.fingerprint);
  const reason = faultOf(inWork, work, clock.nowMs());
  if (reason !== null) return over({ kind: 'refused', reason });
  const objection = await objectToSigner(inWork, chain);
  return objection === null ? { kind: 'new', work } : over(objection);
}

function fromRow(row: PaymentRow, fingerprint: string): Claimed {
  if (row.fingerprint !== fingerprint) return over(OTHER_REQUEST);
  if (row.state === 'SETTLED') return over(toAnswered(row, true));
  return row.state === 'FAILED' ? over(toRefused(row)) : { kind: 'open', row };
}

/** What is wrong with the payment itself; known without any I/O. */
function faultOf({ payment }: PaymentInWork, { demand }: PaidWork, nowMs: number): string | null {
  if (payment.resourceUrl !== null && payment.resourceUrl !== demand.resourceUrl) {
    return 'invalid_payment_requirements: the payment was made for another resource';
  }
  return paymentFault(payment, demand, Math.floor(nowMs / 1e3));
}

function over(outcome: PaymentOutcome): Claimed {
  return { kind: 'over', outcome };
}
