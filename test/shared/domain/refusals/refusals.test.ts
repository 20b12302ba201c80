import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { findRefusal, REFUSAL_TEXT_CHARS_MAX, REFUSALS } from '#domain/refusals/refusals';
import { formRefusal } from '#local/venue/orders/order-rules';
import { readPosted } from '#local/venue/orders/posted-order';
import { PROPERTY_RUNS } from '#test/support/size';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';

const CASES = join(ROOT, '../shared/cases/plan/venue-messages.json');
const ADDRESS = `0x${'11'.repeat(20)}`;

interface Message {
  readonly status?: number;
  readonly text: string;
}

describe('refusals of the venue', () => {
  it('have an id each, and texts that no other one has', () => {
    const ids = REFUSALS.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const refusal of REFUSALS) {
      for (const text of refusal.texts) expect(findRefusal(text)?.refusal.id, text).to.equal(refusal.id);
    }
  });

  it('are found by every text that was published, with its status', function () {
    if (!existsSync(CASES)) skipLoudly(this, 'the texts that were collected are not here');
    const { messages, client_side } = JSON.parse(readFileSync(CASES, 'utf8')) as Record<string, readonly Message[]>;
    for (const { status, text } of [...messages!, ...client_side!]) {
      const statuses = findRefusal(text)?.refusal.statuses;
      if (status === undefined) expect(statuses, text).to.deep.equal([]);
      else expect(statuses, text).to.include(status);
    }
  });

  for (const [what, text, id, values] of [
    [
      'an exception in Python',
      `PolyApiException[status_code=400, error_message={'error': "order couldn't be fully filled. FOK orders are fully filled or killed."}]`,
      'fok_killed',
      {},
    ],
    [
      'the body of an answer',
      '{"error":"order 0xabc is invalid. Price (0.123) breaks minimum tick size rule: 0.01"}',
      'tick_size',
      { id: '0xabc', price: '0.123', tick: '0.01' },
    ],
    [
      'a line of a log with escapes',
      String.raw`error="POST /order: {\"error\":\"invalid amount for a marketable BUY order ($0.40), min size: $1\"}"`,
      'marketable_minimum',
      { usd: '$0.40', minimum: '$1' },
    ],
    ['words over several lines', 'not enough balance\n   / allowance', 'balance_or_allowance', {}],
    ['a batch with an order that has no id', '[{"success": true, "errorMsg": "", "orderID": ""}]', 'leg_refused', {}],
    ['other capitals', 'INVALID SIGNATURE', 'signature', {}],
  ] as const) {
    it(`are found in ${what}`, () => {
      const found = findRefusal(text);
      expect(found?.refusal.id).to.equal(id);
      expect(found?.values).to.deep.equal(values);
    });
  }

  for (const text of ['', 'no matching market', 'the order was filled', 'rematch', 'x'.repeat(1_000_000)]) {
    it(`are not seen in "${text.slice(0, 40)}"`, () => {
      expect(findRefusal(text)).to.equal(null);
    });
  }

  it('are found in texts of any length below the limit, with any values', () => {
    const value = fc.stringMatching(/^[0-9a-zA-Z.$-]{1,40}$/);
    const around = fc.stringMatching(/^[a-f0-9 ]{0,200}$/);
    const property = fc.property(
      fc.constantFrom(...REFUSALS),
      fc.nat(),
      value,
      around,
      around,
      (refusal, n, v, a, b) => {
        const text = refusal.texts[n % refusal.texts.length]!.replaceAll(/\{\w+\}/g, () => v);
        const found = findRefusal(`${a} "${text}" ${b}`);
        expect(found?.refusal.id).to.equal(refusal.id);
        expect(Object.values(found!.values).every((one) => one === v)).to.equal(true);
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
    expect(REFUSAL_TEXT_CHARS_MAX).to.be.above(1_000);
  });

  it('know every text with which the local venue refuses the form of an order', () => {
    const property = fc.property(
      fc.constantFrom('BUY', 'SELL'),
      fc.constantFrom('FOK', 'FAK', 'GTC', 'GTD'),
      fc.constantFrom(1_000, 100, 50, 25, 10, 1),
      fc.bigInt({ min: 1n, max: 20_000_000n }),
      fc.bigInt({ min: 1n, max: 20_000_000n }),
      fc.boolean(),
      (side, orderType, stepTicks, makerAmount, takerAmount, postOnly) => {
        const amounts = { makerAmount: String(makerAmount), takerAmount: String(takerAmount) };
        const order = { tokenId: '7', side, maker: ADDRESS, signer: ADDRESS, ...amounts };
        const posted = { ...readPosted({ order, orderType, owner: 'key', postOnly })!, id: '0xid' };
        const text = formRefusal(posted, { stepTicks, minMicros: 5_000_000n, nowS: 1_800_000_000 });
        if (text !== null) expect(findRefusal(text)?.refusal.order, text).to.equal('none');
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
