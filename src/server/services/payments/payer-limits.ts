import { isLongLived } from '#domain/payment/payment';
import type { OpenPayment } from '#ports/store';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { REQUEST_BUDGET_MS } from './payment-run.js';

/**
 * Authorizations of one wallet in work at once: bounds the answers computed for a balance that pays
 * for one.
 */
export const PAYER_IN_WORK_MAX = 16;
/**
 * Payments of one wallet whose outcome is not known: over it the wallet has to wait until the chain
 * has spoken.
 */
export const PAYER_UNRESOLVED_MAX = 3;

/**
 * Authorizations in work at once that stay open for longer than `maxTimeoutSeconds`: the chain has
 * to be asked about each for as long as that where its outcome is not known.
 */
export const LONG_LIVED_MAX = 64;

/**
 * Returns why a payment that stays open for long may not begin now, or null.
 */
export function whyTooLong(
  { payment, othersLongLived }: Pick<PaymentInWork, 'payment' | 'othersLongLived'>,
  nowMs: number,
): string | null {
  if (othersLongLived < LONG_LIVED_MAX || !isLongLived(payment.authorization, Math.floor(nowMs / 1e3))) return null;
  return `${othersLongLived} payments that stay open for longer than maxTimeoutSeconds are in progress: sign one with validBefore maxTimeoutSeconds from now`;
}

/**
 * Returns whether the open rows of a payer have to be looked at: to list them costs a tenth of a
 * payment. A process that is alone has all of them in work, those of a process that has died within
 * a second; of another process it hears when it renews its lease.
 */
export function mayBeFull(
  { othersOfPayer }: Pick<PaymentInWork, 'othersOfPayer'>,
  { isAlone }: Pick<PaymentDeps['lease'], 'isAlone'>,
): boolean {
  return !isAlone || othersOfPayer >= PAYER_UNRESOLVED_MAX;
}

/**
 * Returns why a wallet may not begin another payment, or null. Its open rows are counted, so that
 * the limits hold for all processes together. Payments that the payer's key did not sign are
 * counted by themselves, so that nobody can use up another's places.
 */
export function whyFull(
  openOfPayer: readonly OpenPayment[],
  { key, isProven }: Pick<PaymentInWork, 'key' | 'isProven'>,
  nowMs: number,
): string | null {
  const others = openOfPayer.filter((one) => one.key !== key && one.isSignedByKey === isProven);
  const unresolved = others.filter((one) => isUnresolved(one, nowMs)).length;
  if (unresolved >= PAYER_UNRESOLVED_MAX) {
    return `${unresolved} payments of this wallet are not resolved yet: repeat those first`;
  }
  return whyCrowded(others.length);
}

/** Returns why a wallet with so many other payments in work may not begin another one, or null. */
export function whyCrowded(others: number): string | null {
  return others >= PAYER_IN_WORK_MAX ? `${others} payments of this wallet are in progress: wait for one of them` : null;
}

/**
 * Sent, and either taken over from an owner that died, or longer in work than any request waits.
 */
function isUnresolved({ state, epoch, createdAtMs }: OpenPayment, nowMs: number): boolean {
  return state === 'SETTLING' && (epoch > 1 || nowMs - createdAtMs >= REQUEST_BUDGET_MS);
}
