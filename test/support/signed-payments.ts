import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { WalletAddress } from '#domain/ids';
import type { Authorization, PaymentDemand, SignedPayment } from '#domain/payment/payment';
import { USDC_DOMAIN } from '#wire/x402/x402';

/** USDC on Base, and somebody who is paid. */
export const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' as WalletAddress;
export const PAYEE = '0x00000000000000000000000000000000000fee01' as WalletAddress;

export const DEMAND: PaymentDemand = {
  resourceUrl: 'https://preflight.example/api/preflight_trade',
  description: 'A verdict.',
  amountMicros: 20_000n,
  asset: USDC,
  payTo: PAYEE,
};

export const DOMAIN = {
  ...USDC_DOMAIN,
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export type Account = ReturnType<typeof privateKeyToAccount>;

export function newAccount(): Account {
  return privateKeyToAccount(generatePrivateKey());
}

/** Returns what a wallet signs, in the form in which viem takes it. */
export function toTypedData({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  const message = {
    from: from as `0x${string}`,
    to: to as `0x${string}`,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: nonce as `0x${string}`,
  };
  return { domain: DOMAIN, types: TRANSFER_TYPES, primaryType: 'TransferWithAuthorization', message } as const;
}

/** Returns a payment of the demand above, signed by a new account or the given one. */
export async function signPayment(
  given: Partial<Authorization> = {},
  account: Account = newAccount(),
): Promise<SignedPayment> {
  const authorization: Authorization = {
    from: account.address.toLowerCase() as WalletAddress,
    to: PAYEE,
    value: '20000',
    validAfter: '0',
    validBefore: '1900000000',
    nonce: generatePrivateKey(),
    ...given,
  };
  const signature = await account.signTypedData(toTypedData(authorization));
  return { version: 2, asset: USDC, authorization, signature, paymentIdentifier: null, resourceUrl: null };
}
