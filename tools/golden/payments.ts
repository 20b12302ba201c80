import type { PrivateKeyAccount } from 'viem/accounts';
import { TRANSFER_TYPES } from '#test/support/signed-payments';
import { NOW_S, PAYEE, USDC } from './money.js';

export interface Terms {
  readonly path: string;
  readonly amount: string;
}

export const TRADE: Terms = { path: '/api/preflight_trade', amount: '20000' };

let nonces = 0;

/** `payload` of a payment, signed; every call has the next nonce. */
export async function sign(payer: PrivateKeyAccount, terms: Terms, given: Readonly<Record<string, string>> = {}) {
  nonces++;
  const authorization = {
    from: payer.address as string,
    to: PAYEE as string,
    value: terms.amount,
    validAfter: '0',
    validBefore: String(NOW_S + 110),
    nonce: `0x${nonces.toString(16).padStart(64, 'e')}`,
    ...given,
  };
  const signature = await payer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: authorization.from as `0x${string}`,
      to: authorization.to as `0x${string}`,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as `0x${string}`,
    },
  });
  return { signature: signature as string, authorization };
}

type Signed = Awaited<ReturnType<typeof sign>>;

export function toV1(payload: Signed) {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload };
}

export function toV2(payload: Signed, { path, amount }: Terms) {
  return {
    x402Version: 2,
    resource: { url: `https://preflight.example${path}`, description: '', mimeType: 'application/json' },
    accepted: {
      scheme: 'exact',
      network: 'eip155:8453',
      amount,
      asset: USDC,
      payTo: PAYEE,
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    },
    payload,
  };
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

/** The headers that carry a payment of each version. */
export const v1Header = (payload: Signed) => ({ 'X-PAYMENT': base64(toV1(payload)) });
export const v2Header = (payload: Signed, terms: Terms) => ({ 'PAYMENT-SIGNATURE': base64(toV2(payload, terms)) });
