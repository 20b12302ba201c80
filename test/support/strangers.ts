import { randomBytes } from 'node:crypto';
import { MULTICALL3_ADDRESS } from '#local/chain/usdc';
import { demandedBy, PAID_CALLS, type PaidCall, type Shop } from './paid-calls.js';
import { encodeHeader, toPaymentV2 } from './payment-headers.js';

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;
const ONE_WALLET = hex(20);

/**
 * Whom strangers name as payer, though none of them signed: a wallet again and again, a new one
 * each time, a contract.
 */
export const NAMED_PAYERS = {
  wallet: () => ONE_WALLET,
  newWallet: () => hex(20),
  contract: () => MULTICALL3_ADDRESS.toLowerCase(),
} as const;

/** What strangers ask for: what would be asked of the venue, and a wallet that would be queued. */
export const STRANGERS_WANT: readonly PaidCall[] = [
  {
    ...PAID_CALLS[0]!,
    call: ({ url }) => ({ url: `${url}/api/preflight_trade?slug=stranger-${randomBytes(6).toString('hex')}` }),
  },
  {
    ...PAID_CALLS.find(({ request }) => request === 'preflight_copy')!,
    call: ({ url }) => ({ url: `${url}/api/preflight_copy?wallet=${hex(20)}` }),
  },
];

/** Returns a payment header that is in order, but for a signature that nobody made. */
export function garbagePayment(call: PaidCall, shop: Shop, payer: () => string): string {
  const requested = demandedBy(call, shop);
  const authorization = {
    from: payer(),
    to: requested.payTo,
    value: requested.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1e3) + 100),
    nonce: hex(32),
  };
  return encodeHeader(toPaymentV2({ signature: hex(65), authorization }, requested));
}
