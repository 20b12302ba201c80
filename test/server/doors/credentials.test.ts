import { expect } from 'chai';
import { toWallet } from '#domain/ids';
import { readCredentials, readPaymentHeaders } from '#doors/credentials';

const USDC = toWallet('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');

describe('credentials of a request', () => {
  const cases: readonly [string, string | undefined, string | null][] = [
    ['are none without the header', undefined, null],
    ['are the bearer token, whatever the case of the scheme', 'bEaReR tk_1', 'tk_1'],
    ['are the bearer token after more than one space', 'Bearer   tk_1', 'tk_1'],
    ['are an empty token, which is never valid, in another scheme', 'Basic dXNlcjpwdw==', ''],
    ['are an empty token without one', 'Bearer', ''],
    ['are an empty token when there are two', 'Bearer tk_1 tk_2', ''],
  ];
  for (const [title, authorization, expected] of cases) {
    it(title, () => {
      const headers = authorization === undefined ? {} : { authorization };
      expect(readCredentials(headers)).to.deep.equal({ bearer: expected, idempotencyKey: null });
    });
  }

  it('have the Idempotency-Key as it came, also an empty one', () => {
    for (const key of ['', 'k', 'a, b']) {
      expect(readCredentials({ 'idempotency-key': key }).idempotencyKey).to.equal(key);
    }
  });

  it('have no payment without a header of either version, and a malformed one when a header came twice', () => {
    expect(readPaymentHeaders({}, USDC)).to.deep.equal({ kind: 'none' });
    for (const name of ['payment-signature', 'x-payment']) {
      for (const value of ['e30=, e30=', ['e30=', 'e30=']]) {
        const reading = readPaymentHeaders({ [name]: value }, USDC);
        expect(reading.kind === 'malformed' && reading.reason).to.equal(
          `${name.toUpperCase()}: is not base64 (the standard alphabet, one value)`,
        );
      }
    }
  });
});
