import { x402Client } from '@x402/core/client';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment } from '@x402/fetch';
import type { Account } from '#test/support/signed-payments';
import type { LlmsFacts } from './llms-txt.js';

/** What is about to be bought, at which address. */
export interface Intent {
  /** Name in the table of prices. */
  readonly operation: string;
  readonly url: string;
}

/** Returns the price of an operation in micro-USDC. */
export function priceMicros({ prices }: LlmsFacts, operation: string): bigint {
  return BigInt(Math.round(Number(prices.get(operation)!.usdc) * 1e6));
}

/** Says what is wrong with the terms of a 402 by what /llms.txt tells; null where nothing is. */
export function termsFault(
  facts: LlmsFacts,
  { operation, url }: Intent,
  { resource }: Pick<PaymentRequired, 'resource'>,
  { network, asset, payTo, amount, scheme }: PaymentRequirements,
): string | null {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (scheme !== 'exact') return `the scheme is ${scheme}`;
  if (network !== facts.network) return `the network is ${network}`;
  if (!same(asset, facts.asset)) return `the asset is ${asset}`;
  if (!same(payTo, facts.payTo)) return `the payee is ${payTo}`;
  if (BigInt(amount) !== priceMicros(facts, operation)) return `the price is ${amount}`;
  const asked = url.split('?')[0];
  return resource?.url === asked && asked.startsWith(`${facts.baseUrl}/`) ? null : `the resource is ${resource?.url}`;
}

/** Returns the official client, which signs for this purchase alone and only what /llms.txt tells. */
export function carefulClient(facts: LlmsFacts, account: Account, intent: Intent, usdMax = facts.usdPerCallMax) {
  return new x402Client()
    .register(facts.network, new ExactEvmScheme(account))
    .setSpendControls({ maxAmountPerPayment: `$${usdMax}` })
    .onBeforePaymentCreation(async ({ paymentRequired, selectedRequirements }) => {
      const reason = termsFault(facts, intent, paymentRequired, selectedRequirements);
      return reason === null ? undefined : { abort: true, reason };
    });
}

/** Buys with the official client on top of the given fetch. */
export function buy(client: x402Client, { url }: Intent, init?: RequestInit, below = fetch): Promise<Response> {
  return wrapFetchWithPayment(below, client)(url, init);
}
