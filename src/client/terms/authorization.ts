import { parseWallet } from '#domain/ids';
import { type Authorization, BASE_CHAIN_ID, USDC_ON_BASE } from '#domain/payment/payment';
import { toBase64, toHex } from '../text.js';
import type { Demand } from './demand.js';
import { USDC_DOMAIN } from './terms.js';

/**
 * EIP-712 data as viem and every wallet take it. Numbers are bigint, as viem wants them. Stable.
 */
export interface TypedDataToSign {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: `0x${string}`;
  };
  readonly types: { readonly TransferWithAuthorization: readonly { readonly name: string; readonly type: string }[] };
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: {
    readonly from: `0x${string}`;
    readonly to: `0x${string}`;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: `0x${string}`;
  };
}

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;

/** Returns the authorization that pays a checked demand. `nonce`: 32 bytes of chance. */
export function authorizationFor(
  { payTo, amount, maxTimeoutSeconds }: Demand,
  { payer, nowMs, nonce }: { readonly payer: string; readonly nowMs: number; readonly nonce: Uint8Array },
): Authorization {
  return {
    from: parseWallet(payer)!,
    to: parseWallet(payTo)!,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(nowMs / 1e3) + Math.floor(maxTimeoutSeconds)),
    nonce: `0x${toHex(nonce)}`,
  };
}

/** Returns what is signed. Token and chain are our own constants, never a server's word. */
export function typedDataOf({ from, to, value, validAfter, validBefore, nonce }: Authorization): TypedDataToSign {
  return {
    domain: { ...USDC_DOMAIN, chainId: BASE_CHAIN_ID, verifyingContract: USDC_ON_BASE },
    types: { TransferWithAuthorization: FIELDS },
    primaryType: 'TransferWithAuthorization',
    message: {
      from: from as unknown as `0x${string}`,
      to: to as unknown as `0x${string}`,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as `0x${string}`,
    },
  };
}

/** Returns the payment as x402 writes it, in the version of the demand that it pays. */
export function paymentPayload(demand: Demand, authorization: Authorization, signature: string): object {
  const payload = { signature, authorization };
  if (demand.version === 1) return { x402Version: 1, scheme: demand.scheme, network: demand.network, payload };
  const { accepted, resource, extensions } = demand.echo;
  return {
    x402Version: 2,
    ...(resource === null ? {} : { resource }),
    accepted,
    payload,
    ...(extensions === null ? {} : { extensions }),
  };
}

/** Returns the header that carries a payment. */
export function paymentHeader(demand: Demand, authorization: Authorization, signature: string): [string, string] {
  const name = demand.version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
  return [name, toBase64(JSON.stringify(paymentPayload(demand, authorization, signature)))];
}
