import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { PaymentRequiredBodySchema } from '#api/payment-required';
import { type Door, openDoor, TERMS } from '../support/door.js';

const PATH = '/api/preflight_trade';
/** Both ways on for who has no good token. */
const BOTH_OFFERS = /buy credits at POST \/api\/credits.*redeem a code at POST \/api\/redeem/;

describe('402', () => {
  let door: Door;
  before(async () => {
    door = await openDoor({ credits: 1 });
  });
  after(() => door.stop());

  const get = (query: string, headers: Record<string, string> = {}) => fetch(`${door.url}${PATH}${query}`, { headers });

  async function expectDemand(response: Response, code: string) {
    expect(response.status).to.equal(402);
    const body = PaymentRequiredBodySchema.parse(await response.json());
    expect(body.code).to.equal(code);
    expect(response.headers.get('www-authenticate')).to.equal(null);
    expect(response.headers.get('payment-required')).to.be.a('string');
    return body;
  }

  it('carries the terms in both forms', async () => {
    const response = await get('');
    const header = response.headers.get('payment-required')!;
    const v1 = PaymentRequiredBodySchema.parse(await response.json());
    expect(header.length).to.be.below(4_000);
    expect(PaymentRequiredV2Schema.safeParse(decodePaymentRequiredHeader(header)).error).to.equal(undefined);
    expect(PaymentRequiredV1Schema.safeParse(v1).error).to.equal(undefined);
    const description = v1.accepts[0]!.description;
    const common = { asset: TERMS.usdcAddress, payTo: TERMS.payeeAddress, maxTimeoutSeconds: 120 };
    const extra = { name: 'USD Coin', version: '2' };
    const resource = `https://preflight.example${PATH}`;
    const { extensions, ...terms } = decodePaymentRequiredHeader(header);
    expect(Object.keys(extensions ?? {}).sort()).to.deep.equal(['bazaar', 'payment-identifier', 'purchase-secret']);
    expect(terms).to.deep.equal({
      x402Version: 2,
      error: 'payment required. This call costs 0.02 USDC.',
      resource: {
        url: resource,
        description,
        mimeType: 'application/json',
        serviceName: 'Preflight',
        tags: ['polymarket', 'prediction-markets', 'trading'],
        iconUrl: 'https://preflight.example/favicon.svg',
      },
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '20000', ...common, extra }],
    });
    expect(v1).to.deep.equal({
      x402Version: 1,
      error: v1.error,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '20000',
          resource,
          description,
          mimeType: 'application/json',
          ...common,
          extra,
        },
      ],
      code: 'payment_required',
      doc: '/llms.txt#payment_required',
    });
  });

  it('says the price in words, and what to do next at this door', async () => {
    const { error } = await expectDemand(await get('?slug=a'), 'payment_required');
    expect(error)
      .to.include('This call costs 0.02 USDC.')
      .and.match(/Next: repeat the request .* PAYMENT-SIGNATURE/);
    expect(error).to.include('sandbox=1').and.include('Authorization: Bearer');
    const wrong = [{ Authorization: 'Bearer tk_x' }, { Authorization: 'tk_x' }];
    for (const headers of wrong) {
      const body = await expectDemand(await get('?slug=a', headers), 'invalid_token');
      expect(body.error).to.match(/This call costs 0\.02 USDC\.$/);
    }
  });

  it('is what a live call without a token gets, before its parameters are looked at', async () => {
    await expectDemand(await get('?usd=-1&foo=bar'), 'payment_required');
    await expectDemand(await fetch(door.url + PATH, { method: 'POST' }), 'payment_required');
  });

  it('is what x402_probe=1 gets, with a token too, and free', async () => {
    const body = await expectDemand(
      await get('?x402_probe=1', { Authorization: `Bearer ${door.token}` }),
      'payment_required',
    );
    expect(body.error).to.include('x402_probe');
  });

  it('tells a token that is not valid from none', async () => {
    for (const credentials of ['Bearer tk_x', `Bearer ${'a'.repeat(5_000)}`]) {
      const body = await expectDemand(await get('?slug=a', { Authorization: credentials }), 'invalid_token');
      expect(body.error).to.include('invalid or expired').and.match(BOTH_OFFERS);
    }
  });

  it('tells whoever sends a token in another form how to send it', async () => {
    for (const credentials of [door.token, `Token ${door.token}`, 'Bearer', 'bearer  a b', 'Basic eDp5', '']) {
      const body = await expectDemand(await get('?slug=a', { Authorization: credentials }), 'invalid_token');
      expect(body.error).to.include('send the word Bearer').and.match(BOTH_OFFERS);
      expect(body.error).to.not.include('invalid or expired');
    }
    expect(door.orders).to.deep.equal([]);
  });

  it('refuses a payment that cannot be understood, and neither runs nor charges', async () => {
    for (const header of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
      for (const value of ['e30=', 'garbage', '%%%', 'bm90IGpzb24=']) {
        const response = await get('?slug=a', { [header]: value });
        expect(response.status, value).to.equal(400);
        expect(((await response.json()) as { error: string }).error).to.match(/cannot be read.*nothing was charged/);
      }
    }
    expect(door.orders).to.deep.equal([]);
  });

  it('tells the balance where the credits are exhausted', async () => {
    const headers = { Authorization: `Bearer ${door.token}` };
    expect((await get('?slug=a', headers)).status).to.equal(200);
    const body = await expectDemand(await get('?slug=a', headers), 'insufficient_credits');
    expect(body).to.include({ balance: 0, credits_required: 1 });
    expect(body.error).to.include('exhausted').and.match(BOTH_OFFERS);
    // Its book is at hand, so the order is judged, and the debit refuses it.
    expect(door.orders).to.have.length(2);
  });

  it('tells a caller with exhausted credits first what is wrong with the parameters', async () => {
    expect((await get('?usd=0', { Authorization: `Bearer ${door.token}` })).status).to.equal(400);
  });
});
