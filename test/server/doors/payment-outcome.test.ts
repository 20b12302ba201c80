import { expect } from 'chai';
import { toWallet } from '#domain/ids';
import type { SignedPayment } from '#domain/payment/payment';
import { creditsLack, pendingProblem, receiptOf } from '#doors/payment-outcome';

const payer = toWallet('0x52908400098527886E0F7030069857D2E4169EE7');
const payment = { version: 2, authorization: { from: payer, value: '20000' } } as SignedPayment;
const transaction = `0x${'ab'.repeat(32)}`;
const network = 'eip155:8453';

describe('what both doors say of a payment', () => {
  it('is a receipt of its transaction when it was made', () => {
    const answer = { body: '{}', nextRefreshS: null, replayed: false, madeAtMs: 0 };
    expect(receiptOf({ kind: 'paid', ...answer, payment, transaction })).to.deep.equal({
      success: true,
      payer,
      transaction,
      network,
      amount: '20000',
    });
  });

  it('is a receipt with the reason when it was not', () => {
    const refused = { kind: 'payment_refused', reason: 'insufficient_funds', payment } as const;
    const expected = { success: false, errorReason: 'insufficient_funds', payer, transaction: '', network };
    expect(receiptOf(refused)).to.deep.equal({ ...expected, amount: '20000' });
  });

  it('is a pending receipt when that is not known, with the transaction as far as there is one', () => {
    for (const existing of [transaction, null]) {
      const unknown = { kind: 'payment_unknown', transaction: existing, retryAfterS: 2, payment } as const;
      const { success, errorReason, transaction: shown } = receiptOf(unknown);
      expect([success, errorReason, shown]).to.deep.equal([false, 'settlement_pending', existing ?? '']);
    }
  });

  it('is to repeat with the same payment, in the words of the door', () => {
    for (const what of ['request', 'call'] as const) {
      const { code, message, retryAfterS } = pendingProblem({ retryAfterS: 2 }, what);
      expect([code, retryAfterS]).to.deep.equal(['settlement_pending', 2]);
      expect(message).to.include(`repeat the ${what} with the same payment (never a new one)`);
    }
  });

  it('is how many credits are lacking, if they are the reason to pay', () => {
    expect(creditsLack({ credits: { balance: 1, required: 5 } })).to.deep.equal({ balance: 1, credits_required: 5 });
    expect(creditsLack({})).to.deep.equal({});
  });
});
