import { expect } from 'chai';
import fc from 'fast-check';
import { formRefusal } from '#local/venue/orders/order-rules';
import { readPosted } from '#local/venue/orders/posted-order';
import { PROPERTY_RUNS } from '#test/support/size';

const ADDRESS = `0x${'11'.repeat(20)}`;
const NOW_S = 1_800_000_000;
const STEPS = [1_000, 100, 50, 25, 10, 1] as const;

const terms = (stepTicks: number) => ({ stepTicks, minMicros: 5_000_000n, nowS: NOW_S });

function posted(side: string, makerAmount: bigint, takerAmount: bigint, orderType: string, more: object = {}) {
  const order = { tokenId: '7', side, maker: ADDRESS, signer: ADDRESS, makerAmount, takerAmount, ...more };
  const text = { ...order, makerAmount: String(makerAmount), takerAmount: String(takerAmount) };
  return readPosted({ order: text, orderType, owner: 'key', ...more })!;
}

describe('amounts of an order', () => {
  it('may rest where their price is a multiple of the step, and nowhere else', () => {
    const property = fc.property(
      fc.constantFrom('BUY', 'SELL'),
      fc.constantFrom(...STEPS),
      fc.integer({ min: 500, max: 100_000 }),
      fc.integer({ min: 1, max: 9_999 }),
      fc.constantFrom(0n, 1n, -1n),
      (side, step, hundredths, raw, off) => {
        const ticks = Math.max(step, raw - (raw % step));
        const shares = BigInt(hundredths) * 10_000n;
        const usd = BigInt(hundredths) * BigInt(ticks) + off;
        fc.pre(usd > 0n && ticks < 10_000);
        const order = side === 'BUY' ? posted(side, usd, shares, 'GTC') : posted(side, shares, usd, 'GTC');
        expect(formRefusal(order, terms(step)) === null).to.equal(off === 0n);
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  for (const [what, order, words] of [
    [
      'a market BUY with three decimals of USD',
      posted('BUY', 10_001_000n, 20_000_000n, 'FOK'),
      /market buy orders maker/,
    ],
    [
      'a market BUY with five decimals of shares',
      posted('BUY', 10_000_000n, 20_000_010n, 'FAK'),
      /market buy orders maker/,
    ],
    ['a market BUY of 99 cents', posted('BUY', 990_000n, 2_000_000n, 'FOK'), /\(\$0\.99\), min size: \$1$/],
    [
      'a market SELL that is rounded',
      posted('SELL', 19_690_000n, 4_330_000n, 'FOK'),
      /^invalid amounts, the taker amount for a \$0\.22 order of size 19\.69 should be '4\.3318' but the value submited is '4\.33'$/,
    ],
    ['shares with three decimals', posted('BUY', 500_500n, 10_010_000n / 10n, 'GTC'), /max accuracy of 4 decimals/],
    ['four shares that rest', posted('BUY', 2_000_000n, 4_000_000n, 'GTC'), /Size \(4\) lower than the minimum: 5$/],
    [
      'a date that is near',
      posted('BUY', 5_000_000n, 10_000_000n, 'GTD', { expiration: NOW_S + 60 }),
      /^invalid expiration$/,
    ],
    ['a post-only FOK', posted('BUY', 5_000_000n, 10_000_000n, 'FOK', { postOnly: true }), /^invalid post-only order/],
  ] as const) {
    it(`are refused for ${what}`, () => {
      expect(formRefusal(order, terms(100))).to.match(words);
    });
  }

  it('are read from nothing that is no order', () => {
    for (const body of [null, 7, {}, { order: {} }, { order: { side: 'BUY' }, orderType: 'FOK' }]) {
      expect(readPosted(body)).to.equal(null);
    }
  });
});
