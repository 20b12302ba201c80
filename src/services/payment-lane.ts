import { Problem } from '#domain/errors';
import type { PaymentDemand, SignedPayment } from '#domain/payment';
import type { GateCall, GateResult } from './gate-call.js';
import type { GateTool } from './gate-tool.js';
import { requestFingerprint } from './idempotency.js';
import { CREDITS_OPERATION } from './payment-completion.js';
import type { PaymentOutcome } from './payment-contract.js';
import type { Payments } from './payments.js';

/** What the lane needs of the payments service. */
export type LanePayments = Pick<Payments, 'pay'>;

export interface PaymentLane {
  /** Answers a call that brought a payment. Nothing is verified before its parameters are understood. */
  run(payment: SignedPayment, name: string, tool: GateTool, call: GateCall): Promise<GateResult>;
  /** Buys the credit pack. Its answer is made when the payment has settled, so there is nothing to compute. */
  buyCredits(payment: SignedPayment, requestId: string): Promise<GateResult>;
}

const UNAVAILABLE_RETRY_AFTER_S = 2;

/** Returns the per-call lane. `demandFor` tells what each operation costs, by its name. */
export function createPaymentLane(
  payments: LanePayments,
  demandFor: (operation: string) => PaymentDemand,
): PaymentLane {
  return {
    async run(payment, name, tool, call) {
      const { args, requestId } = call;
      if (args instanceof Problem) return { kind: 'bad_request', problem: args };
      const prepared = tool.prepare(args);
      if (prepared.kind === 'invalid') {
        return { kind: 'bad_request', problem: new Problem('invalid_parameter', prepared.message) };
      }
      const outcome = await payments.pay(payment, {
        operation: name,
        requestId,
        fingerprint: requestFingerprint(name, prepared.args),
        demand: demandFor(name),
        compute: async () => JSON.stringify(await prepared.run()),
      });
      return toResult(outcome, payment);
    },
    async buyCredits(payment, requestId) {
      const outcome = await payments.pay(payment, {
        operation: CREDITS_OPERATION,
        requestId,
        fingerprint: requestFingerprint(CREDITS_OPERATION, {}),
        demand: demandFor(CREDITS_OPERATION),
        compute: async () => '',
      });
      return toResult(outcome, payment);
    },
  };
}

function toResult(outcome: PaymentOutcome, payment: SignedPayment): GateResult {
  switch (outcome.kind) {
    case 'answered': {
      const { body, transaction, replayed } = outcome;
      return { kind: 'paid', body, replayed, payment, transaction };
    }
    case 'refused':
      return { kind: 'payment_refused', reason: outcome.reason, payment };
    case 'unknown':
      return { kind: 'payment_unknown', transaction: outcome.transaction, retryAfterS: outcome.retryAfterS, payment };
    case 'declined':
      // An expected "no" passes as it is; anything else is the gate's to report.
      throw outcome.problem;
    case 'unavailable': {
      const text = `the payment could not be looked at (${outcome.reason}) and nothing was charged: repeat the request with the same payment`;
      return {
        kind: 'failed',
        problem: new Problem('payment_unavailable', text, { retryAfterS: UNAVAILABLE_RETRY_AFTER_S }),
      };
    }
  }
}
