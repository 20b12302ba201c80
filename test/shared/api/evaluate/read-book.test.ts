import { expect } from 'chai';
import { LEVELS_MAX, readBook } from '#api/evaluate/read-book';

const LEVELS = { bids: [['0.4700', '300.000000']], asks: [['0.4800', '250.000000']] };

/** A public order book of Kalshi: bids of both outcomes, in cents and contracts. */
const KALSHI = {
  orderbook: {
    yes: [
      [45, 100],
      [47, 300],
    ],
    no: [
      [50, 80],
      [52, 250],
    ],
  },
};

describe('a book as a caller has it', () => {
  const forms: readonly (readonly [string, object])[] = [
    ['rows of text', { bids: [['0.47', '300']], asks: [['0.48', '250']] }],
    ['rows of numbers', { bids: [[0.47, 300]], asks: [[0.48, 250]] }],
    ['objects', { bids: [{ price: '0.47', size: 300 }], asks: [{ price: 0.48, size: '250' }] }],
  ];
  for (const [name, book] of forms) {
    it(`is read from ${name}`, () => {
      expect(readBook(book)).to.deep.equal({
        kind: 'book',
        book: { ...LEVELS, tickSize: null, minOrderSize: null, negRisk: null, tokenId: null },
      });
    });
  }

  it('is read from GET /book of the venue, with its terms', () => {
    const venue = {
      market: '0x1',
      asset_id: '123',
      timestamp: '1',
      hash: 'a',
      bids: [{ price: '0.47', size: '300' }],
      asks: [{ price: '0.48', size: '250' }],
      min_order_size: '5',
      tick_size: '0.01',
      neg_risk: true,
      last_trade_price: '0.47',
    };
    expect(readBook(venue)).to.deep.equal({
      kind: 'book',
      book: { ...LEVELS, tickSize: '0.01', minOrderSize: '5', negRisk: true, tokenId: '123' },
    });
  });

  it('is read from the order book of Kalshi: a bid of No is an ask of Yes at the rest of a dollar', () => {
    expect(readBook(KALSHI)).to.deep.include({
      book: {
        bids: [
          ['0.4500', '100.000000'],
          ['0.4700', '300.000000'],
        ],
        asks: [
          ['0.5000', '80.000000'],
          ['0.4800', '250.000000'],
        ],
        tickSize: '0.01',
        minOrderSize: null,
        negRisk: null,
        tokenId: null,
        isOfKalshi: true,
      },
    });
  });

  it('is read from the order book of Kalshi in dollars, whose price step is not given', () => {
    const orderbook_fp = { yes_dollars: [['0.4705', '300.00']], no_dollars: [['0.5201', '250.50']] };
    expect(readBook({ orderbook_fp })).to.deep.equal({
      kind: 'book',
      book: {
        bids: [['0.4705', '300.000000']],
        asks: [['0.4799', '250.500000']],
        tickSize: null,
        minOrderSize: null,
        negRisk: null,
        tokenId: null,
        isOfKalshi: true,
      },
    });
  });

  it('has its terms as numbers or as text', () => {
    const terms = { tick_size: 0.001, min_order_size: 15 };
    expect(readBook({ bids: [], asks: [], ...terms })).to.have.nested.include({
      'book.tickSize': '0.001',
      'book.minOrderSize': '15',
    });
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['no object', 'a book', /must be an object/],
    ['no side that Kalshi has', { orderbook: { yes_dollars: [], no_dollars: [] } }, /orderbook needs yes and no/],
    ['one side of Kalshi alone', { orderbook_fp: { yes_dollars: [] } }, /needs yes_dollars and no_dollars/],
    ['an infinite minimum', { bids: [], asks: [], min_order_size: 'Infinity' }, /min_order_size of the book must be/],
    ['a negative minimum', { bids: [], asks: [], min_order_size: '-5' }, /from 0 to 1000000/],
    ['a price step that is none', { bids: [], asks: [], tick_size: 'abc' }, /tick_size of the book must be/],
    ['no asks', { bids: [] }, /needs bids and asks/],
    ['an object for a price step', { bids: [], asks: [], tick_size: { toString: 1 } }, /tick_size of the book must be/],
    ['a list for a minimum', { bids: [], asks: [], min_order_size: ['5'] }, /min_order_size of the book must be/],
    ['a price step of 0', { bids: [], asks: [], tick_size: '0' }, /tick_size of the book must be/],
    ['a price step of 1', { bids: [], asks: [], tick_size: 1 }, /tick_size of the book must be/],
    ['words for neg_risk', { bids: [], asks: [], neg_risk: 'true' }, /neg_risk of the book must be true or false/],
    ['two forms', { ...LEVELS, ...KALSHI }, /has orderbook beside bids or asks: send one of them/],
    [
      'a size of Kalshi that is none',
      { orderbook: { yes: [], no: [[45, 'many']] } },
      /^book\.orderbook\.no\[0\] must be a price/,
    ],
    [
      'a price of Kalshi twice',
      {
        orderbook_fp: {
          yes_dollars: [],
          no_dollars: [
            ['0.45', '1'],
            ['0.45', '2'],
          ],
        },
      },
      /^book\.orderbook_fp\.no_dollars has the price 0\.4500 twice/,
    ],
    [
      'too many levels of Kalshi',
      { orderbook: { yes: Array.from({ length: LEVELS_MAX + 1 }, () => [45, 1]), no: [] } },
      /^book\.orderbook\.yes has 1001 levels/,
    ],
    ['a price of 1', { bids: [[1, 5]], asks: [] }, /price 1.0000: it must be above 0 and below 1/],
    ['five decimals of a price', { bids: [[0.12345, 5]], asks: [] }, /at most 4 decimals/],
    ['a size of 0', { bids: [[0.5, 0]], asks: [] }, /size 0.000000: it must be above 0/],
    [
      'a price twice',
      {
        bids: [
          [0.5, 1],
          ['0.50', 2],
        ],
        asks: [],
      },
      /price 0.5000 twice/,
    ],
    ['text that is no number', { bids: [['half', 1]], asks: [] }, /must be a price/],
    ['a row that is none', { bids: [null], asks: [] }, /must be a price/],
    ['too many levels', { bids: Array.from({ length: LEVELS_MAX + 1 }, () => [0.5, 1]), asks: [] }, /1001 levels/],
    [
      'cents that are none',
      { orderbook: { yes: [[0.5, 1]], no: [] } },
      /orderbook needs yes and no, lists of \[cents, contracts\]/,
    ],
    ['no rows of Kalshi', { orderbook: { yes: {}, no: [] } }, /lists of \[cents, contracts\]/],
  ];
  for (const [name, book, why] of bad) {
    it(`is refused with ${name}`, () => {
      const read = readBook(book);
      expect(read).to.have.property('why').that.matches(why);
    });
  }
});
