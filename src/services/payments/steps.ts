import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentSteps } from '#machines/payment-events';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { recordFailed, recordSettled } from './records.js';
import { pause, recordIntent, resolve, settle } from './settlement.js';
import { prepare } from './verification.js';

/**
 * Returns what the machine of a payment has done for it: the same steps for all payments, each
 * found by the key that comes as input.
 */
export function paymentSteps(deps: PaymentDeps, find: (key: PaymentKey) => PaymentInWork): PaymentSteps {
  return {
    prepare: ({ key }) => prepare(find(key), deps),
    recordIntent: (input) => recordIntent(find(input.key), input, deps),
    settle: (input) => settle(find(input.key), input, deps),
    resolve: ({ key }) => resolve(find(key), deps),
    pause: (input, { signal }) => pause(input, deps, signal),
    recordSettled: ({ key, transaction }) => recordSettled(find(key), transaction, deps),
    recordFailed: (input) => recordFailed(find(input.key), input, deps),
  };
}
