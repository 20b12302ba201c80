import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import type { SignedPayment } from '#domain/payment/payment';
import { paymentAnswerKey } from '#services/gate/payment-answer';

const WALLET = `0x${'ab'.repeat(20)}` as WalletAddress;
const PAYMENT: SignedPayment = {
  version: 2,
  asset: WALLET,
  authorization: {
    from: WALLET,
    to: WALLET,
    value: '20000',
    validAfter: '0',
    validBefore: '1800000000',
    nonce: `0x${'01'.repeat(32)}`,
  },
  signature: '0x1b',
  paymentIdentifier: null,
  purchaseSecret: 'of the terms',
  resourceUrl: null,
};

describe('the name of an answer that a payment came with', () => {
  const keyOf = (change: Partial<SignedPayment>, request = 'r') =>
    paymentAnswerKey({ ...PAYMENT, ...change }, request).key;

  it('is that of the payer, whatever form the payment comes in', () => {
    expect(paymentAnswerKey(PAYMENT, 'r')).to.include({ wallet: WALLET, code: 'payment' });
    expect(keyOf({ version: 1, resourceUrl: 'https://preflight.example/', otherPlaces: ['X-PAYMENT'] })).to.equal(
      keyOf({}),
    );
  });

  it('is another one for another request, and where anything is otherwise that was signed or is a secret', () => {
    const nonce = `0x${'02'.repeat(32)}`;
    const { purchaseSecret: _, ...seenOnTheChain } = PAYMENT;
    const keys = [
      keyOf({}),
      keyOf({}, 'another request'),
      keyOf({ authorization: { ...PAYMENT.authorization, nonce } }),
      keyOf({ signature: '0x1c' }),
      keyOf({ paymentIdentifier: 'id-of-the-buyer-xyz' }),
      keyOf({ purchaseSecret: 'guessed' }),
      paymentAnswerKey(seenOnTheChain, 'r').key,
    ];
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
