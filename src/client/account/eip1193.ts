import type { PayerAccount } from '../state/ports.js';
import type { TypedDataToSign } from '../terms/authorization.js';
import { toHex } from '../text.js';

/** A browser wallet (EIP-1193). */
export interface Eip1193Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

/**
 * Returns the account that the person chooses in their wallet, which asks them before each
 * signature. Rejects as the wallet does.
 *
 * @example const preflight = new Preflight({ baseUrl, account: await fromEip1193(window.ethereum)
 * });
 */
export async function fromEip1193(provider: Eip1193Provider): Promise<PayerAccount> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const address = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string') throw new Error('the wallet gave no account');
  const signed = async (method: string, params: readonly unknown[]) => {
    const signature = await provider.request({ method, params });
    if (typeof signature !== 'string') throw new Error('the wallet gave no signature');
    return signature;
  };
  return {
    address,
    signTypedData: (data) => signed('eth_signTypedData_v4', [address, toText(data)]),
    signMessage: ({ message }) => signed('personal_sign', [`0x${toHex(new TextEncoder().encode(message))}`, address]),
  };
}

/** Wallets take the data as JSON, with the type of its domain and with numbers as text. */
function toText({ domain, types, primaryType, message }: TypedDataToSign): string {
  const data = { types: { EIP712Domain: DOMAIN_FIELDS, ...types }, primaryType, domain, message };
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
