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
      },
    });
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['no object', 'a book', /must be an object/],
    ['no asks', { bids: [] }, /needs bids and asks/],
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
    ['cents that are none', { orderbook: { yes: [[0.5, 1]], no: [] } }, /cents from 1 to 99/],
    ['no rows of Kalshi', { orderbook: { yes: {}, no: [] } }, /must be rows/],
  ];
  for (const [name, book, why] of bad) {
    it(`is refused with ${name}`, () => {
      const read = readBook(book);
      expect(read).to.have.property('why').that.matches(why);
    });
  }
});
