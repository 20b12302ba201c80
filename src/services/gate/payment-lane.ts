import { createHash } from 'node:crypto';
import type { PurchaseResponse } from '#api/credits';
import { coverSecret } from '#domain/credits/token';
import { Problem } from '#domain/errors';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { Clock } from '#ports/clock';
import type { PaymentOutcome } from '../payments/contract.js';
import type { Payments } from '../payments/payments.js';
import { CREDITS_OPERATION } from '../payments/work.js';
import { nextRefreshOf, verdictTimesOf } from './answer-times.js';
import type { GateCall, GateResult } from './call.js';
import { FreeAnswer } from './free-answer.js';
import { requestFingerprint } from './idempotency.js';
import { type GateTool, toFree } from './tool.js';

/** What the lane needs of the payments service. */
export type LanePayments = Pick<Payments, 'pay'>;

export interface PaymentLane {
  /**
   * Answers a call that brought a payment. Nothing is verified before its parameters are
   * understood.
   */
  run(payment: SignedPayment, name: string, tool: GateTool, call: GateCall): Promise<GateResult>;
  /** Buys the credit pack. Its answer is made when the payment has settled. */
  buyCredits(payment: SignedPayment, call: Pick<GateCall, 'requestId' | 'idempotencyKey'>): Promise<GateResult>;
}

export interface PaymentLaneDeps {
  readonly payments: LanePayments;
  /** What each operation costs, by its name. */
  readonly demandFor: (operation: string) => PaymentDemand;
  readonly clock: Clock;
}

const UNAVAILABLE_RETRY_AFTER_S = 2;

/**
 * How long a repeated purchase shows its token where only the authorization names it. Once settled,
 * authorization and signature are public on the chain, and whoever reads the chain could repeat
 * them. A purchase that carried the secret of its terms, a payment-identifier or an
 * Idempotency-Key, which are not on the chain, shows its token to a repeat that carries it too, at
 * any time, and to no other.
 */
export const TOKEN_REPEAT_MS = 10 * 60_000;

/** Returns the per-call lane. */
export function createPaymentLane({ payments, demandFor, clock }: PaymentLaneDeps): PaymentLane {
  return {
    async run(payment, name, tool, call) {
      const { args, requestId } = call;
      if (args instanceof Problem) return { kind: 'bad_request', problem: args };
      const prepared = tool.prepare(args, call.caller);
      if (prepared.kind === 'invalid') {
        return { kind: 'bad_request', problem: new Problem('invalid_parameter', prepared.message) };
      }
      const outcome = await payments.pay(payment, {
        kind: 'answer',
        operation: name,
        requestId,
        fingerprint: requestFingerprint(name, prepared.args),
        demand: demandFor(name),
        compute: async () => {
          const made = await prepared.run();
          if (made instanceof FreeAnswer) throw made;
          return JSON.stringify(made);
        },
        isAtHand: prepared.isAtHand,
      });
      return toResult(outcome, payment);
    },
    async buyCredits(payment, { requestId, idempotencyKey }) {
      const [secret = null, ...others] = secretsOf(payment, idempotencyKey);
      const outcome = await payments.pay(payment, {
        kind: 'pack',
        secret,
        requestId,
        fingerprint: requestFingerprint(CREDITS_OPERATION, {}),
        demand: demandFor(CREDITS_OPERATION),
      });
      return toResult(
        mayShowToken(outcome, [secret, ...others], clock.nowMs()) ? outcome : withoutToken(outcome),
        payment,
      );
    },
  };
}

function toResult(outcome: PaymentOutcome, payment: SignedPayment): GateResult {
  switch (outcome.kind) {
    case 'answered': {
      const { body, transaction, replayed } = outcome;
      const answer = JSON.parse(body) as object;
      // A settlement takes seconds, and a verdict is older than it by that.
      const madeAtMs = verdictTimesOf(answer)?.evaluatedAtMs ?? outcome.settledAtMs;
      return { kind: 'paid', body, nextRefreshS: nextRefreshOf(answer), replayed, madeAtMs, payment, transaction };
    }
    case 'refused':
      return { kind: 'payment_refused', reason: outcome.reason, payment };
    case 'unknown':
      return { kind: 'payment_unknown', transaction: outcome.transaction, retryAfterS: outcome.retryAfterS, payment };
    case 'declined':
      if (outcome.cause instanceof FreeAnswer) return toFree(outcome.cause);
      // An expected "no" passes as it is; anything else is the gate's to report.
      throw outcome.cause;
    case 'unavailable': {
      const text = `the payment could not be verified (${outcome.reason}) and nothing was charged: repeat the request with the same payment`;
      return {
        kind: 'failed',
        problem: new Problem('payment_unavailable', text, { retryAfterS: UNAVAILABLE_RETRY_AFTER_S }),
      };
    }
  }
}

/**
 * What only the buyer knows, as it is kept (SHA-256): the secret of the terms that the payment
 * echoes, its payment-identifier, the Idempotency-Key of the request. The first of them is kept
 * with the purchase; any of them proves the buyer to a repeat.
 */
function secretsOf({ purchaseSecret, paymentIdentifier }: SignedPayment, idempotencyKey: string | null): string[] {
  return [purchaseSecret, paymentIdentifier, idempotencyKey]
    .filter((given) => given !== undefined && given !== null)
    .map((given) => createHash('sha256').update(given).digest('hex'));
}

/**
 * Also where it was not settled before: whoever reads the chain can be here before the
 * facilitator's answer is.
 */
function mayShowToken(outcome: PaymentOutcome, secrets: readonly (string | null)[], nowMs: number): boolean {
  if (outcome.kind !== 'answered') return true;
  return outcome.secret === null ? nowMs - outcome.settledAtMs <= TOKEN_REPEAT_MS : secrets.includes(outcome.secret);
}

function withoutToken(outcome: PaymentOutcome): PaymentOutcome {
  if (outcome.kind !== 'answered') return outcome;
  const answer = JSON.parse(outcome.body) as PurchaseResponse;
  return { ...outcome, body: JSON.stringify({ ...answer, token: coverSecret(answer.token) }) };
}
