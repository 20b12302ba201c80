import fc from 'fast-check';

/** JSON that no program writes: beyond a double, negative zeros, names twice, and nested beyond reason. */
const RAW = [
  '1e999',
  '-1e999',
  '1E-400',
  '-0',
  '-0.0',
  '0.1e+00000000000000000001',
  '9007199254740993',
  '{"a":1,"a":2}',
  '{"toString":1,"valueOf":2}',
  '{"__proto__":{"price":0.5,"size":1}}',
  `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
  `${'{"a":'.repeat(4_000)}0${'}'.repeat(4_000)}`,
] as const;
const raw = fc.constantFrom(...RAW).map((token) => `@raw:${token}`);

const WORDS = ['NaN', 'Infinity', '-0', '0x10', '1_000', '1e3', ' 5 ', '٣', '', 'true', '0.010', 'null'] as const;
const odd = fc.oneof(raw, fc.constantFrom(...WORDS), fc.jsonValue({ maxDepth: 2 }));
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9_999 }).map((ticks) => ticks / 1e4) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }).map(String) },
  { weight: 1, arbitrary: odd },
);
const size = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 1e9 }) }, { weight: 1, arbitrary: odd });
const level = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(price, size) },
  { weight: 3, arbitrary: fc.record({ price, size }) },
  { weight: 1, arbitrary: odd },
);
const side = fc.oneof({ weight: 9, arbitrary: fc.array(level, { maxLength: 8 }) }, { weight: 1, arbitrary: odd });
const terms = { tick_size: odd, min_order_size: odd, neg_risk: odd, asset_id: odd };
const book = fc.oneof(
  fc.record({ bids: side, asks: side, ...terms }, { requiredKeys: ['bids', 'asks'] }),
  fc.record({ orderbook: fc.record({ yes: side, no: side }) }),
  fc.record({ orderbook_fp: fc.record({ yes_dollars: side, no_dollars: side }) }),
  odd,
);
const fee = fc.record(
  { rate: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), odd), exponent: odd, more: odd },
  { requiredKeys: ['rate'] },
);
const moment = fc.constantFrom('2026-11-26T12:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', 'now');

const BOOK = { bids: [[0.47, 300]], asks: [[0.48, 250]], tick_size: '0.01' };

const MEMBERS = {
  book: fc.oneof({ weight: 1, arbitrary: fc.constant(BOOK) }, { weight: 3, arbitrary: book }),
  side: fc.oneof(fc.constantFrom('BUY', 'sell'), odd),
  usd: fc.oneof(fc.double({ min: 0.01, max: 1e7, noNaN: true }), odd),
  plan: fc.oneof(fc.boolean(), odd),
  exit: fc.boolean(),
  limit_price: fc.oneof(fc.constantFrom(0.47, '0.5'), odd),
  post_only: fc.boolean(),
  max_slippage_c: odd,
  max_book_age_s: odd,
  fee: fc.oneof(fee, odd),
  min_order_shares: odd,
  tick_size: fc.oneof(fc.constantFrom('0.1', 0.001, '7'), odd),
  neg_risk: odd,
  age_s: odd,
  matching_delay_s: odd,
  game_due_at: fc.oneof(moment, odd),
  rechecked: odd,
  evaluated_at: fc.oneof(moment, odd),
  slug: odd,
};

/** Bodies that are right: a property that saw refusals only would show little. */
const right = fc.record(
  {
    book: fc.constant(BOOK),
    side: fc.constantFrom('BUY', 'SELL'),
    usd: fc.double({ min: 1, max: 1_000, noNaN: true }),
    plan: fc.boolean(),
    exit: fc.boolean(),
  },
  { requiredKeys: ['book'] },
);

const any = fc
  .tuple(fc.record(MEMBERS), fc.subarray(Object.keys(MEMBERS), { maxLength: 4 }))
  .map(([whole, names]) =>
    Object.fromEntries(['book', ...names].map((name) => [name, whole[name as keyof typeof whole]])),
  );

/** Bodies of an evaluation as JSON text: right, nearly right, and far from it. */
export const arbitraryEvaluationText: fc.Arbitrary<string> = fc
  .oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: right })
  .map((body) =>
    JSON.stringify(body).replaceAll(/"@raw:((?:[^"\\]|\\.)*)"/g, (_, token: string) => JSON.parse(`"${token}"`)),
  );
