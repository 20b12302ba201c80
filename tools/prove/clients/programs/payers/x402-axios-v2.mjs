import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import axios from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { byAxios } from './answers.mjs';

export async function open({ privateKey }) {
  const schemes = [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(privateKey)) }];
  return byAxios(wrapAxiosWithPaymentFromConfig(axios.create(), { schemes }));
}
