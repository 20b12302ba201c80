import { nextRefreshOf, textOf, verdictTimesOf } from '#api/written-answer';
import { Problem } from '#domain/errors';
import { type PaymentDemand, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { PaymentAnswered, PurchaseName } from '#machines/payment-events';
import type { Clock } from '#system/clock';
import { OTHER_REQUEST } from '../payments/claim.js';
import type { PaymentOutcome } from '../payments/contract.js';
import type { PackTokens } from '../payments/pack-token.js';
import type { Payments } from '../payments/payments.js';
import type { PurchaseSecrets } from '../payments/purchase-secret.js';
import { CREDITS_OPERATION } from '../payments/work.js';
import { BuyerProofs, type BuyerSecrets, buyerSecrets, shortKeyFault } from './buyer-proof.js';
import type { GateCall, GateResult } from './call.js';
import { idempotencyKeyFault, requestFingerprint } from './idempotency.js';
import { NOT_THE_BUYER, REPEAT_OVER, repeatedUntilMs } from './repeats.js';
import { FreeAnswer, toFree } from './tool.js';
import type { ToolCall } from './tool-call.js';

/** What the lane needs of the payments service. */
export type LanePayments = Pick<Payments, 'pay' | 'hasBegun'>;

export interface PaymentLane {
  /**
   * Answers a call that brought a payment. Nothing is verified before its parameters are
   * understood.
   */
  run(payment: SignedPayment, called: ToolCall): Promise<GateResult>;
  /**
   * Whether a payment, or another one under the call's name for its purchase, has paid for this very
   * call before or is at work on it. Rejects as the store does.
   */
  isRepeat(payment: SignedPayment, called: ToolCall): Promise<boolean>;
  /** Buys the credit pack. Its answer is made when the payment has settled. */
  buyCredits(
    payment: SignedPayment,
    call: Pick<GateCall, 'requestId' | 'idempotencyKey' | 'caller'>,
  ): Promise<GateResult>;
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

/** What was to be bought, and who asks for it. */
interface Sold {
  readonly operation: string;
  readonly payment: SignedPayment;
  /** Names the request. */
  readonly fingerprint: string;
  /** Network address. */
  readonly caller: string;
  readonly secrets: BuyerSecrets;
}

/** Returns the per-call lane. */
export function createPaymentLane(deps: PaymentLaneDeps): PaymentLane {
  const { payments, demandFor, packTokens, purchaseSecrets, clock } = deps;
  const proofs = new BuyerProofs(clock);
  const isOurs = (secret: string) => purchaseSecrets.issuedAtMs(secret) !== null;

  const isBuyerOf = (payment: SignedPayment, caller: string, secrets: BuyerSecrets) => (secret: string | null) =>
    proofs.isBuyer({ key: paymentKey(payment), caller }, secret, secrets);

  /**
   * What a payment answers to a request. A settled one: all to its buyer, and less or nothing to
   * others, who may have read it on the chain.
   */
  function answerTo(outcome: PaymentOutcome, { operation, payment, fingerprint, caller, secrets }: Sold) {
    const key = outcome.kind === 'answered' && outcome.boughtBy ? outcome.boughtBy : paymentKey(payment);
    const repeat = { key, caller };
    if (outcome === OTHER_REQUEST) proofs.noteWrong(repeat, fingerprint);
    if (outcome.kind !== 'answered') return toResult(outcome, payment);
    const { began, boughtBy, settledAtMs, secret, body } = outcome;
    // Whoever signs another authorization for the same purchase is its payer.
    const isBuyer = began === true || boughtBy !== undefined || proofs.isBuyer(repeat, secret, secrets);
    if (!isBuyer && (secret !== null || proofs.hasGuessedEnough(repeat))) {
      return { kind: 'payment_refused', reason: NOT_THE_BUYER, payment } as const;
    }
    const validBeforeS = Number(payment.authorization.validBefore);
    const isOver = !began && clock.nowMs() > repeatedUntilMs({ operation, settledAtMs, validBeforeS, isBuyer });
    if (isOver || body === null) return repeatOver(outcome, payment);
    if (operation !== CREDITS_OPERATION) return toPaid(outcome, body, payment);
    return toPaid(outcome, isBuyer ? packTokens.show(body, key) : packTokens.cover(body), payment);
  }

  return {
    async run(payment, called) {
      const { name, call, request } = called;
      if (request instanceof Problem) return { kind: 'bad_request', problem: request };
      const { requestId, idempotencyKey, caller } = call;
      const keyFault = idempotencyKeyFault(idempotencyKey);
      if (keyFault !== null) return { kind: 'bad_request', problem: keyFault };
      const secrets = buyerSecrets(payment, idempotencyKey, isOurs);
      const { fingerprint } = called;
      const outcome = await payments.pay(payment, {
        kind: 'answer',
        operation: name,
        secret: secrets.stored,
        names: purchaseNames(payment, idempotencyKey),
        isBuyer: isBuyerOf(payment, caller, secrets),
        requestId,
        caller,
        fingerprint,
        demand: demandFor(name),
        compute: async () => {
          const made = await request.run(caller);
          if (made instanceof FreeAnswer) throw made;
          return textOf(made);
        },
        isCached: request.isCached,
      });
      return answerTo(outcome, { operation: name, payment, fingerprint, caller, secrets });
    },
    async isRepeat(payment, called) {
      const { idempotencyKey } = called.call;
      if (called.request instanceof Problem || idempotencyKeyFault(idempotencyKey) !== null) return false;
      const named = { operation: called.name, names: purchaseNames(payment, idempotencyKey) };
      return payments.hasBegun(payment, called.fingerprint, named);
    },
    async buyCredits(payment, { requestId, idempotencyKey, caller }) {
      const keyFault = idempotencyKeyFault(idempotencyKey);
      if (keyFault !== null) return { kind: 'bad_request', problem: keyFault };
      const fingerprint = requestFingerprint(CREDITS_OPERATION, {});
      const short = shortKeyFault(payment, idempotencyKey, isOurs);
      // A repeat brings the key of its first request, beside which stood a secret of an earlier store key.
      if (short !== null && !(await payments.hasBegun(payment, fingerprint))) {
        return { kind: 'bad_request', problem: short };
      }
      const secrets = buyerSecrets(payment, idempotencyKey, isOurs);
      const outcome = await payments.pay(payment, {
        kind: 'pack',
        secret: secrets.stored,
        names: purchaseNames(payment, idempotencyKey),
        isBuyer: isBuyerOf(payment, caller, secrets),
        requestId,
        caller,
        fingerprint,
        demand: demandFor(CREDITS_OPERATION),
      });
      return answerTo(outcome, { operation: CREDITS_OPERATION, payment, fingerprint, caller, secrets });
    },
  };
}

/** Returns what a request calls its purchase. */
function purchaseNames({ paymentIdentifier }: SignedPayment, idempotencyKey: string | null): readonly PurchaseName[] {
  return [
    ...(idempotencyKey === null ? [] : [{ kind: 'idempotency_key', name: idempotencyKey } as const]),
    ...(paymentIdentifier === null ? [] : [{ kind: 'payment_identifier', name: paymentIdentifier } as const]),
  ];
}

/** What a name of a purchase is answered that stands for another request. */
const NAME_CONFLICTS: Readonly<Record<PurchaseName['kind'], Problem>> = {
  idempotency_key: new Problem(
    'idempotency_conflict',
    'this Idempotency-Key was used for another request: use a new key for a new request; nothing was charged',
  ),
  payment_identifier: new Problem(
    'payment_identifier_conflict',
    'this payment-identifier was used for another request: use a new one for a new request; nothing was charged',
  ),
};

function tooManyRefused(retryAfterS: number): Problem {
  const text =
    'too many payments from your address were refused, or are being looked at: repeat the request with the same payment ' +
    `in ${retryAfterS} seconds; this request charged nothing`;
  return new Problem('rate_limited', text, { retryAfterS });
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
    case 'conflict':
      return { kind: 'bad_request', problem: NAME_CONFLICTS[outcome.by] };
    case 'unknown':
      return { ...outcome, kind: 'payment_unknown', payment };
    case 'declined':
      if (outcome.cause instanceof FreeAnswer) return toFree(outcome.cause);
      // An expected "no" passes as it is; anything else is the gate's to report.
      throw outcome.cause;
    case 'not_looked_up':
      throw outcome.cause;
    case 'limited':
      return { kind: 'failed', problem: tooManyRefused(outcome.retryAfterS) };
    case 'unavailable': {
      const text = `the payment could not be verified (${outcome.reason}) and nothing was charged: repeat the request with the same payment`;
      return {
        kind: 'failed',
        problem: new Problem('payment_unavailable', text, { retryAfterS: UNAVAILABLE_RETRY_AFTER_S }),
        ...(outcome.isUnproven && { isUnproven: true }),
      };
    }
  }
}
