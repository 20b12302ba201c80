import { parseWallet, type WalletAddress } from '#domain/ids';
import { paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';

const address = (n: number) => parseWallet(`0x${n.toString(16).padStart(40, '0')}`) as WalletAddress;
const USDC = parseWallet('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913') as WalletAddress;

/**
 * Returns the n-th payment row of a test as it is written before anything is sent: open and
 * SETTLING.
 */
export function samplePayment(n: number, facts: Partial<PaymentRow> = {}, from = address(n)): PaymentRow {
  const payment: SignedPayment = {
    version: n % 2 === 0 ? 2 : 1,
    asset: USDC,
    authorization: {
      from,
      to: address(0xfee),
      value: '20000',
      validAfter: '0',
      validBefore: '1800000120',
      nonce: `0x${n.toString(16).padStart(64, '0')}`,
    },
    signature: `0x${'1b'.repeat(65)}`,
    paymentIdentifier: n % 2 === 0 ? `payment-${n}` : null,
    resourceUrl: n % 2 === 0 ? 'https://preflight.example/api/preflight_trade' : null,
  };
  return {
    key: paymentKey(payment),
    state: 'SETTLING',
    fingerprint: `fingerprint-${n}`,
    operation: 'preflight_trade',
    requestId: `request-${n}`,
    payment,
    demand: {
      resourceUrl: 'https://preflight.example/api/preflight_trade',
      description: 'One order verdict …',
      amountMicros: 20_000n,
      asset: USDC,
      payTo: address(0xfee),
    },
    answer: '{"ok":true}',
    intentBlock: 30_000_000 + n,
    body: null,
    transaction: null,
    failReason: null,
    open: true,
    createdAtMs: 1_800_000_000_000 + n,
    updatedAtMs: 1_800_000_000_000 + n,
    proof: null,
    owner: n % 3 === 0 ? null : `process-${n % 3}`,
    epoch: 1 + (n % 2),
    isSignedByKey: n % 2 === 0,
    ...facts,
  };
}
