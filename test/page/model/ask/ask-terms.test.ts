import { expect } from 'chai';
import { askTerms } from '#page/model/ask/ask-terms';

const ACCEPTS = [
  {
    network: 'base',
    maxAmountRequired: '20000',
    payTo: `0x${'1'.repeat(40)}`,
    asset: `0x${'2'.repeat(40)}`,
    maxTimeoutSeconds: 120,
  },
];
const answered = (body: object, status = 402) =>
  askTerms('/api/preflight_trade?slug=a', async () => ({ status, retryAfterS: null, text: JSON.stringify(body) }));

describe('the price of an order that is asked for', () => {
  it('is shown from the terms of a 402', async () => {
    expect(await answered({ error: 'live calls must be paid for', accepts: ACCEPTS })).to.deep.include({
      kind: 'terms',
      terms: { priceUsdc: '0.02', network: 'Base', payTo: ACCEPTS[0]!.payTo, asset: ACCEPTS[0]!.asset, withinS: 120 },
    });
  });

  it('is not shown where the order would be refused even with a payment; the reason is', async () => {
    const fault = { error: 'No outcome matches "maybe"', code: 'outcome_required' };
    expect(await answered({ error: 'x', accepts: ACCEPTS, fault })).to.deep.equal({
      kind: 'notice',
      text: 'Change the order: No outcome matches "maybe"',
    });
  });

  it('is a notice where nothing readable came', async () => {
    expect(await answered({ error: 'slow down' }, 429)).to.have.property('kind', 'notice');
    expect(await answered({ accepts: [{}] })).to.have.property('kind', 'notice');
  });
});
