import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentSteps } from '#machines/payment-events';
import { claim, release } from './claim.js';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { type Attend, OwnerWatch } from './owner-watch.js';
import { prove } from './proving.js';
import { leaveUnattended, recordFailed, recordSettled } from './records.js';
import { pause, recordIntent, resolve, settle } from './settlement.js';
import { prepare } from './verification.js';

interface StepHooks {
  /** Called when a row was settled on a facilitator's word. */
  readonly unproven: () => void;
  readonly attend: Attend;
}

/**
 * Returns what the machine of a payment has done for it: the same steps for all payments, each
 * found by the key that comes as input.
 */
export function paymentSteps(
  deps: PaymentDeps,
  find: (key: PaymentKey) => PaymentInWork,
  { unproven, attend }: StepHooks,
): PaymentSteps {
  const watch = new OwnerWatch(deps, attend);
  return {
    claim: ({ key }) => claim(find(key), deps),
    awaitOwner: ({ key }, { signal }) => watch.wait(find(key), signal),
    release: (input) => release(find(input.key), input, deps),
    prepare: ({ key }) => prepare(find(key), deps),
    recordIntent: (input) => recordIntent(find(input.key), input, deps),
    settle: (input) => settle(find(input.key), input, deps),
    resolve: ({ key }) => resolve(find(key), deps),
    pause: async (input, { signal }) => {
      // While no client waits here, a process with one may have the payment.
      if (!input.clientWaiting && !deps.lease.isAlone) await leaveUnattended(find(input.key), input.epoch, deps);
      return pause(input, deps, signal);
    },
    prove: (input) => prove(find(input.key), input, deps),
    recordSettled: async ({ key, evidence }) => {
      const outcome = await recordSettled(find(key), evidence, deps);
      if (outcome.type === 'settlement.recorded' && evidence.kind === 'word') unproven();
      return outcome;
    },
    recordFailed: (input) => recordFailed(find(input.key), input, deps),
  };
}
