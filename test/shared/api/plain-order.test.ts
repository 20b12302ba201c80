import { expect } from 'chai';
import fc from 'fast-check';
import { OPERATIONS } from '#api/operations';
import { OrderRequestSchema } from '#api/order-request';
import { readPlainOrder } from '#api/plain-order';
import { PROPERTY_RUNS } from '#test/support/size';

const TOKEN = '7'.repeat(77);
const texts = [
  '',
  ' ',
  '1',
  '0',
  '-1',
  '+1',
  '1.',
  '.5',
  '1e2',
  '0x10',
  '1,5',
  'NaN',
  'Infinity',
  ' 5',
  '0.0000001',
  '99999999999',
];
const values = fc.oneof(
  fc.constantFrom<unknown>(TOKEN, `${TOKEN}77`, 'BUY', 'SELL', 'buy', '100', '2500.50', ...texts),
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -0,
    100,
    1e7,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    ['1'],
    {},
  ),
  fc.double(),
  fc.string(),
);
const names = fc.constantFrom('token_id', 'side', 'usd', 'slug', 'outcome', 'max_slippage_c', 'evidence', '__proto__');
const plain = fc.record(
  {
    token_id: fc.stringMatching(/^[0-9]{1,78}$/),
    side: fc.constantFrom('BUY', 'SELL'),
    usd: fc.oneof(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.integer({ min: 1, max: 999_999 }).map(String)),
  },
  { requiredKeys: ['token_id'] },
);
const asked = fc
  .tuple(fc.oneof(plain, fc.constant({})), fc.dictionary(names, values, { maxKeys: 4 }))
  .map(([usual, others]) => ({ ...usual, ...others }));

describe('an order in its usual form', () => {
  it('is read as the schema reads it, and anything else is left to the schema', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: asked }, fc.anything()), (raw) => {
        const order = readPlainOrder(raw);
        if (order !== null) expect(order).to.deep.equal(OrderRequestSchema.parse(raw));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is one with a token, with or without side and size', () => {
    fc.assert(fc.property(plain, (raw) => readPlainOrder(raw) !== null));
  });

  it('is not one that the schema refuses, which goes on to say why', () => {
    for (const raw of [
      { token_id: '12x' },
      { token_id: '1', usd: '0' },
      { token_id: '1', usd: '1000000000' },
      { usd: '5' },
    ]) {
      expect(readPlainOrder(raw)).to.equal(null);
      expect(OPERATIONS.preflight_trade.parse(raw)).to.have.property('kind', 'invalid');
    }
  });
});
