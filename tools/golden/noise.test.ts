import { expect } from 'chai';
import { withoutNoise } from './noise.js';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('the noise of recordings', () => {
  const terms = (value: string) => base64({ extensions: { 'purchase-secret': { info: { value } } } });
  const answer = (ms: number, secret: string) => {
    const body = {
      age_seconds: ms / 1_000,
      expires: `2027-07-14T12:00:03.${ms}Z`,
      inner: `{"kid":"${secret}"}`,
      text: `- Key \`${secret}\``,
      error: `it ends ${ms} s before the server's time 1784030${ms}, and 20 s must be left`,
    };
    return {
      status: '200',
      headers: [
        ['Cache-Control', `private, max-age=59${ms}`],
        ['PAYMENT-REQUIRED', terms(secret)],
        ['ETag', String(ms)],
        ['X-Health-Age-Ms', String(ms)],
      ],
      body: JSON.stringify(body),
    };
  };

  it('is ages, times since the start, keys and secrets, and what follows from them', () => {
    const [one, other] = [answer(123, 'a'.repeat(43)), answer(456, 'b'.repeat(43))].map(withoutNoise);
    expect(one).to.deep.equal(other);
    expect(withoutNoise(one)).to.deep.equal(one);
  });

  it('is nothing else', () => {
    const steady = {
      sent: 'GET /',
      answer: {
        status: '200',
        headers: [
          ['Cache-Control', 'public, max-age=31536000'],
          ['ETag', '"x"'],
        ],
        body: '{"expires":"2026-08-13T00:00:00.000Z","usd":12}',
      },
    };
    expect(withoutNoise(steady)).to.deep.equal(steady);
  });
});
