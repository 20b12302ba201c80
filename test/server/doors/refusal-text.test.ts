import { expect } from 'chai';
import { ERROR_TEXTS } from '#api/error-texts';
import { refusalCode, refusalOf } from '#doors/payment-outcome';
import { refusalText } from '#doors/refusal-text';
import { NOT_THE_BUYER, REPEAT_OVER } from '#services/gate/repeats';
import { OTHER_SIGNATURE } from '#services/payments/sender';
import { textOf } from '#test/support/discovery';

describe('a refused payment', () => {
  const rows: readonly [string, RegExp][] = [
    ['insufficient_funds', /too little USDC on Base/],
    ['invalid_exact_evm_insufficient_balance', /too little USDC on Base/],
    ['invalid_exact_evm_payload_authorization_valid_before', /validBefore/],
    [
      "invalid_exact_evm_payload_authorization_valid_before: ends 5 s after the server's time 1795660000",
      /let validBefore be .* \(it ends 5 s after the server's time 1795660000\)$/,
    ],
    [
      "invalid_exact_evm_payload_authorization_valid_after: begins 61 s after the server's time 1795660000",
      /set the clock right.* \(it begins 61 s after the server's time 1795660000\)$/,
    ],
    ['invalid_exact_evm_payload_authorization_valid_after', /clock/],
    ['invalid_exact_evm_payload_authorization_value_mismatch', /exactly the amount/],
    ['invalid_exact_evm_payload_recipient_mismatch', /payTo/],
    ['invalid_exact_evm_payload_signature', /key of the paying wallet/],
    ['invalid_exact_evm_payload_undeployed_smart_wallet', /this wallet is not deployed yet/],
    ['invalid_exact_evm_payload_authorization_from_address_kyt', /another wallet/],
    ['invalid_payment_requirements: asset is not USDC on Base', /sign USDC on Base/],
    ['authorization_expired', /lapsed/],
    ['authorization_cancelled', /cancelled/],
    ['authorization_consumed_elsewhere', /fresh nonce/],
    ['a word that nobody has heard of', /sign a new one/],
  ];
  for (const [reason, advice] of rows) {
    it(`for ${reason} says what to do`, () => {
      expect(refusalText(reason))
        .to.match(/^this payment did not and will not pay for this request: /)
        .and.match(advice);
    });
  }

  it('for another signature of a payment that came before asks to repeat it as it was, and for no other', () => {
    expect(refusalText(OTHER_SIGNATURE))
      .to.match(/came before with another signature.*: repeat the payment as it was; this request charged nothing$/)
      .and.not.match(/did not and will not|sign /);
  });

  it('is in no document one that is unpaid, or to be signed anew, whatever its reason', () => {
    for (const reason of [REPEAT_OVER, NOT_THE_BUYER])
      expect(refusalText(reason)).to.match(/^this payment was settled/);
    const said = ['/llms.txt', '/auth.md'].map((path) => /A 402 after a payment: .*/.exec(textOf(path))![0]);
    for (const text of [ERROR_TEXTS.payment_refused, ...said]) {
      expect(text)
        .to.include('error')
        .and.not.match(/unpaid|did not|sign a new one/);
    }
  });

  it('has the code of the scheme beside its sentence', () => {
    const payment = {} as never;
    const demand = refusalOf({ kind: 'payment_refused', reason: 'insufficient_funds', payment });
    expect(demand).to.include({ kind: 'payment_required', code: 'payment_refused' });
    expect(demand.reason).to.equal(refusalText('insufficient_funds'));
    expect(refusalCode(demand)).to.deep.equal({ reason: 'insufficient_funds' });
    expect(refusalCode({})).to.deep.equal({});
  });
});
