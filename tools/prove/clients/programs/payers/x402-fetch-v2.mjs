import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { byFetch } from './answers.mjs';

export async function open({ privateKey }) {
  const schemes = [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(privateKey)) }];
  return byFetch(wrapFetchWithPaymentFromConfig(fetch, { schemes }));
}
