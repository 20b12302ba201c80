import { x402Client } from '@x402/core/client';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import { readDemands } from '#client/terms/demand';
import { DEFAULT_LIMITS } from '#client/terms/limits';
import type { Fault } from '#client/terms/rules';
import { type Intent, termsFault } from '#client/terms/terms';
import { repeatingFetch } from '#test/support/repeating-fetch';
import type { Account } from '#test/support/signed-payments';
import type { LlmsFacts } from './llms-txt.js';

/** Returns the price of an operation in micro-USDC. */
export function priceMicros({ prices }: LlmsFacts, operation: string): bigint {
  return BigInt(Math.round(Number(prices.get(operation)!.usdc) * 1e6));
}

/** Says which rule refuses the terms of a 402 by what /llms.txt tells; null where none does. */
export function faultOf(facts: LlmsFacts, intent: Intent, demand: PaymentRequired): Fault | null {
  const header = encodePaymentRequiredHeader(demand);
  const [read] = readDemands({ header, body: '' });
  return termsFault(facts.published, { packConsent: true, ...intent }, read!, DEFAULT_LIMITS);
}

/**
 * Returns the official client, which signs for this purchase alone and only what /llms.txt tells.
 */
export function carefulClient(facts: LlmsFacts, account: Account, intent: Intent, usdMax = facts.usdPerCallMax) {
  return new x402Client()
    .register(facts.network, new ExactEvmScheme(account))
    .setSpendControls({ maxAmountPerPayment: `$${usdMax}` })
    .onBeforePaymentCreation(async ({ paymentRequired, selectedRequirements }) => {
      const fault = faultOf(facts, intent, { ...paymentRequired, accepts: [selectedRequirements] });
      return fault === null ? undefined : { abort: true, reason: fault.rule };
    });
}

/** Buys with the official client on top of the given fetch; repeats a payment that is pending. */
export function buy(
  client: x402Client,
  { url }: Intent,
  init?: RequestInit,
  below = repeatingFetch,
): Promise<Response> {
  return wrapFetchWithPayment(below, client)(url, init);
}
