import { nextRefreshOf, textOf, verdictTimesOf } from '#api/written-answer';
import { Problem } from '#domain/errors';
import { type PaymentDemand, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { PaymentAnswered } from '#machines/payment-events';
import type { Clock } from '#system/clock';
import type { PaymentOutcome } from '../payments/contract.js';
import type { PackTokens } from '../payments/pack-token.js';
import type { Payments } from '../payments/payments.js';
import type { PurchaseSecrets } from '../payments/purchase-secret.js';
import { CREDITS_OPERATION } from '../payments/work.js';
import { type BuyerSecrets, buyerProofs, buyerSecrets, purchaseKeyFault } from './buyer-proof.js';
import type { GateCall, GateResult } from './call.js';
import { requestFingerprint } from './idempotency.js';
import { REPEAT_OVER, repeatedUntilMs } from './repeats.js';
import { FreeAnswer, type GateTool, toFree } from './tool.js';

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
  readonly packTokens: Pick<PackTokens, 'show' | 'cover'>;
  readonly purchaseSecrets: Pick<PurchaseSecrets, 'issuedAtMs'>;
  readonly clock: Clock;
}

const UNAVAILABLE_RETRY_AFTER_S = 2;

/** Returns the per-call lane. */
export function createPaymentLane(deps: PaymentLaneDeps): PaymentLane {
  const { payments, demandFor, packTokens, purchaseSecrets, clock } = deps;
  const provesBuyer = buyerProofs(() => clock.elapsedMs());
  const isOurs = (secret: string) => purchaseSecrets.issuedAtMs(secret) !== null;

  /**
   * What a settled payment answers to a request: all of it to its buyer, and less or nothing to
   * others.
   */
  function answerTo(outcome: PaymentOutcome, operation: string, payment: SignedPayment, secrets: BuyerSecrets) {
    if (outcome.kind !== 'answered') return toResult(outcome, payment);
    const { began, settledAtMs, secret, body } = outcome;
    const key = paymentKey(payment);
    const isBuyer = began === true || provesBuyer(key, secret, secrets);
    const validBeforeS = Number(payment.authorization.validBefore);
    const isOver = !began && clock.nowMs() > repeatedUntilMs({ operation, settledAtMs, validBeforeS, isBuyer });
    if (isOver || body === null) return repeatOver(outcome, payment);
    if (operation !== CREDITS_OPERATION) return toPaid(outcome, body, payment);
    return toPaid(outcome, isBuyer ? packTokens.show(body, key) : packTokens.cover(body), payment);
  }

  return {
    async run(payment, name, tool, call) {
      const { args, requestId, idempotencyKey } = call;
      if (args instanceof Problem) return { kind: 'bad_request', problem: args };
      const prepared = tool.prepare(args, call.caller);
      if (prepared.kind === 'invalid') {
        return { kind: 'bad_request', problem: new Problem('invalid_parameter', prepared.message) };
      }
      const secrets = buyerSecrets(payment, idempotencyKey, isOurs);
      const outcome = await payments.pay(payment, {
        kind: 'answer',
        operation: name,
        secret: secrets.stored,
        requestId,
        fingerprint: requestFingerprint(name, prepared.args),
        demand: demandFor(name),
        compute: async () => {
          const made = await prepared.run();
          if (made instanceof FreeAnswer) throw made;
          return textOf(made);
        },
        isCached: prepared.isCached,
      });
      return answerTo(outcome, name, payment, secrets);
    },
    async buyCredits(payment, { requestId, idempotencyKey }) {
      const fault = purchaseKeyFault(idempotencyKey, payment);
      if (fault !== null) return { kind: 'bad_request', problem: fault };
      const secrets = buyerSecrets(payment, idempotencyKey, isOurs);
      const outcome = await payments.pay(payment, {
        kind: 'pack',
        secret: secrets.stored,
        requestId,
        fingerprint: requestFingerprint(CREDITS_OPERATION, {}),
        demand: demandFor(CREDITS_OPERATION),
      });
      return answerTo(outcome, CREDITS_OPERATION, payment, secrets);
    },
  };
}

/** Nothing is charged again, and nothing is repeated any more. */
function repeatOver({ transaction }: PaymentAnswered, payment: SignedPayment): GateResult {
  return { kind: 'payment_refused', reason: REPEAT_OVER, payment, transaction };
}

function toPaid(
  { transaction, replayed, settledAtMs }: PaymentAnswered,
  body: string,
  payment: SignedPayment,
): GateResult {
  const answer = JSON.parse(body) as object;
  // A settlement takes seconds, and a verdict is older than it by that.
  const madeAtMs = verdictTimesOf(answer)?.evaluatedAtMs ?? settledAtMs;
  return { kind: 'paid', body, nextRefreshS: nextRefreshOf(answer), replayed, madeAtMs, payment, transaction };
}

function toResult(outcome: Exclude<PaymentOutcome, PaymentAnswered>, payment: SignedPayment): GateResult {
  switch (outcome.kind) {
    case 'refused':
      return { kind: 'payment_refused', reason: outcome.reason, payment };
    case 'unknown':
      return { kind: 'payment_unknown', transaction: outcome.transaction, retryAfterS: outcome.retryAfterS, payment };
    case 'declined':
      if (outcome.cause instanceof FreeAnswer) return toFree(outcome.cause);
      // An expected "no" passes as it is; anything else is the gate's to report.
      throw outcome.cause;
    case 'not_looked_up':
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
