import { BASE_NETWORK } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Attempted, Resolved } from '#machines/payment.machine';
import type { Resolution, SettleOutcome } from '#ports/settlement';

/** Where a person can look a settlement up. */
const EXPLORER_URL = 'https://basescan.org/tx/';
const PENDING = /settlement_pending/;

/** Returns what an attempt to settle means for the payment machine. */
export function toAttempted(outcome: SettleOutcome): Attempted {
  return outcome.kind === 'unknown' ? { ...outcome, pending: PENDING.test(outcome.reason) } : outcome;
}

/** Returns what the chain said, as far as the payment machine has to tell cases apart. */
export function toResolved(resolution: Resolution): Resolved {
  switch (resolution.kind) {
    case 'paid':
      return { kind: 'paid', transaction: resolution.transaction };
    case 'unused':
    case 'unknown':
      return resolution;
    case 'expired':
      return { kind: 'never', reason: 'authorization_expired' };
    case 'cancelled':
      return { kind: 'never', reason: 'authorization_cancelled' };
    case 'consumed_elsewhere':
      return { kind: 'never', reason: 'authorization_consumed_elsewhere' };
  }
}

/** Returns micro-USDC as the decimal text of `price_paid_usdc`. */
function toUsdcText(micros: bigint): string {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Returns `paid` of a settled payment (docs/interface-paying.md, "Paid object"). */
export function toPaid({ demand }: Pick<PaymentRow, 'demand'>, transaction: string) {
  return {
    price_paid_usdc: toUsdcText(demand.amountMicros),
    transaction,
    network: BASE_NETWORK,
    receipt: `${EXPLORER_URL}${transaction}`,
  };
}
