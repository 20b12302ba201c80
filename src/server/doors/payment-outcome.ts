import { Problem } from '#domain/errors';
import type { GateResult } from '#services/gate/call';
import { type Receipt, receiptFor } from '#wire/x402/x402';
import { refusalText } from './refusal-text.js';

type ResultOf<Kind extends GateResult['kind']> = Extract<GateResult, { readonly kind: Kind }>;

const PENDING = 'settlement_pending';

/**
 * Stands in the body beside the pending problem. No terms do: a client that reads terms signs and
 * pays again.
 */
export const SAME_PAYMENT = { retry: 'same_payment' } as const;

/**
 * Returns what stands in the body of a call that failed. Where the store did not answer in time, a
 * debit may have been made all the same: the call is repeated under its key, or given back.
 */
export function repeatAfter({ problem }: ResultOf<'failed'>): Partial<typeof SAME_PAYMENT> {
  return problem.code === 'store_unavailable' ? SAME_PAYMENT : {};
}

/**
 * Returns the problem of a payment whose outcome is not known yet. `call` is what is repeated at
 * this door.
 */
export function pendingProblem(
  { retryAfterS }: Pick<ResultOf<'payment_unknown'>, 'retryAfterS'>,
  call: 'request' | 'call',
): Problem {
  const text =
    `the outcome of this payment is not known yet: repeat the ${call} with the same payment (never a new one); ` +
    'it gets the answer if the payment went through';
  return new Problem(PENDING, text, { retryAfterS });
}

/**
 * Returns the receipt of a call that brought a payment, in the form of the x402 version that it
 * came in, unless another one is asked for.
 */
export function receiptOf(
  result: ResultOf<'paid' | 'payment_refused' | 'payment_unknown'>,
  version = result.payment.version,
): Receipt {
  const payment = { version, authorization: result.payment.authorization };
  switch (result.kind) {
    case 'paid':
      return receiptFor(payment, { transaction: result.transaction });
    case 'payment_refused':
      return receiptFor(payment, { errorReason: result.reason, transaction: result.transaction ?? '' });
    case 'payment_unknown':
      return receiptFor(payment, { errorReason: PENDING, transaction: result.transaction ?? '' });
  }
}

/** A demand for payment, with the scheme's own word for why the last one was refused. */
export type Demand = ResultOf<'payment_required'> & { readonly refusal?: string };

/** Returns the demand that answers a refused payment. */
export function refusalOf({ reason }: ResultOf<'payment_refused'>): Demand {
  return { kind: 'payment_required', code: 'payment_refused', reason: refusalText(reason), refusal: reason };
}

/**
 * Returns what a demand for payment says of a refused payment beside its sentence; nothing when
 * none was.
 */
export function refusalCode({ refusal }: Pick<Demand, 'refusal'>) {
  return refusal === undefined ? {} : { reason: refusal };
}

/**
 * Returns what a demand for payment shows of a request that would be refused even then; nothing
 * where that is not known.
 */
export function faultIn({ fault }: Pick<ResultOf<'payment_required'>, 'fault'>) {
  if (fault === undefined) return {};
  const { message: error, code, candidates } = fault;
  return { fault: { error, code, ...(candidates && { candidates: [...candidates] }) } };
}

/**
 * Returns what a demand for payment shows of credits that did not suffice; nothing when they are
 * not the reason.
 */
export function creditsLack({ credits }: Pick<ResultOf<'payment_required'>, 'credits'>) {
  return credits === undefined ? {} : { balance: credits.balance, credits_required: credits.required };
}
