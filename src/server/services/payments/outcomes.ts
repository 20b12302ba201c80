import { BASE_NETWORK } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { PaymentAnswered, PaymentRefused, PaymentSteps } from '#machines/payment-events';
import type { Resolution, SettleOutcome } from '#ports/settlement';
import type { PaymentOutcome } from './contract.js';
import { secretOf } from './work.js';

const PENDING = /settlement_pending/;
const RETRY_AFTER_S = 2;

type AttemptEvent = Exclude<Awaited<ReturnType<PaymentSteps['settle']>>, { type: 'payment.lost' }>;
type ChainEvent = Awaited<ReturnType<PaymentSteps['resolve']>>;

/** Returns what an attempt to settle means for the payment machine. */
export function toAttemptEvent(outcome: SettleOutcome, facilitator: string): AttemptEvent {
  switch (outcome.kind) {
    case 'settled':
      return { type: 'attempt.settled', transaction: outcome.transaction, facilitator };
    case 'rejected':
    case 'not_sent':
      return { type: `attempt.${outcome.kind}`, reason: outcome.reason };
    case 'unknown': {
      const { reason, transaction } = outcome;
      return { type: 'attempt.unknown', reason, transaction, isPending: PENDING.test(reason) };
    }
  }
}

/** Returns what the chain showed, as far as the payment machine has to keep cases apart. */
export function toChainEvent(resolution: Resolution): ChainEvent {
  switch (resolution.kind) {
    case 'paid': {
      const { transaction, blockNumber, logIndex } = resolution;
      return { type: 'chain.paid', transaction, blockNumber, logIndex };
    }
    case 'unused':
      return { type: 'chain.unused', chainTimeS: resolution.chainTimeS };
    case 'unknown':
      return { type: 'chain.unknown', reason: resolution.reason };
    case 'expired':
    case 'cancelled':
    case 'consumed_elsewhere':
      return { type: 'chain.never', reason: `authorization_${resolution.kind}` };
  }
}

/** Returns the answer of a settled row. */
export function toAnswered(row: PaymentRow, replayed: boolean): PaymentAnswered {
  return {
    kind: 'answered',
    body: row.body,
    transaction: row.transaction!,
    replayed,
    secret: secretOf(row),
    settledAtMs: row.updatedAtMs,
  };
}

/** Returns the refusal of a failed row. */
export function toRefused({ failReason }: PaymentRow): PaymentRefused {
  return { kind: 'refused', reason: failReason ?? 'payment failed' };
}

/** Returns that the outcome is not known: what is not proved is told in no other way. */
export function toUnknown(transaction: string | null = null): Extract<PaymentOutcome, { kind: 'unknown' }> {
  return { kind: 'unknown', transaction, retryAfterS: RETRY_AFTER_S };
}

/** Returns micro-USDC as the decimal text of `price_paid_usdc`. */
function toUsdcText(micros: bigint): string {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Returns `paid` of a settled payment (docs/interface-paying.md, "Paid object"). */
export function toPaid({ demand }: Pick<PaymentRow, 'demand'>, transaction: string, explorerUrl: string) {
  return {
    price_paid_usdc: toUsdcText(demand.amountMicros),
    transaction,
    network: BASE_NETWORK,
    receipt: `${explorerUrl}/tx/${transaction}`,
  };
}
