import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import type { Account } from './signed-payments.js';

/**
 * Signs the terms that an address has now, as the official client does, and sends nothing. Returns
 * the payment's header.
 */
export async function signUnsent(account: Account, url: string): Promise<Readonly<Record<string, string>>> {
  let headers: Record<string, string> = {};
  const pausing: typeof fetch = async (input, init) => {
    const value = new Headers(input instanceof Request ? input.headers : init?.headers).get('PAYMENT-SIGNATURE');
    if (value === null) return fetch(input, init);
    headers = { 'PAYMENT-SIGNATURE': value };
    return new Response('{}');
  };
  const schemes = [{ network: 'eip155:8453' as const, client: new ExactEvmScheme(account) }];
  await wrapFetchWithPaymentFromConfig(pausing, { schemes })(url);
  return headers;
}
