import { expect } from 'chai';
import type { Level } from '#domain/book/book';
import { readFixture, readFixtureJson, readFixtureLines } from '#test/support/fixtures';
import { bookHash } from '#wire/polymarket/book-hash';
import { parseClobBook, parseClobMarket } from '#wire/polymarket/clob';
import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import { parseGammaMarket } from '#wire/polymarket/gamma';
import { parseMarketFrame } from '#wire/polymarket/market-channel';

const byPrice = (direction: 1 | -1) => (a: Level, b: Level) => (a.priceTicks - b.priceTicks) * direction;

describe('whole messages of the real venue', () => {
  for (const [name, levels] of [
    ['rest_book.json', [35, 35]],
    ['rest_book_neg_risk.json', [2, 77]],
  ] as const) {
    it(`reads ${name} and reproduces its hash from what was read`, () => {
      const book = parseClobBook(readFixtureJson(name))!;
      expect([book.bids.length, book.asks.length]).to.deep.equal(levels);
      const bidsAscending = book.bids.toSorted(byPrice(1));
      const asksDescending = book.asks.toSorted(byPrice(-1));
      expect(bookHash({ ...book, bidsAscending, asksDescending }))
        .to.equal(book.hash)
        .and.match(/^[0-9a-f]{40}$/);
    });
  }

  it('reads a book of the market channel', () => {
    const { events, badCount } = parseMarketFrame(readFixture('ws_book.json'));
    expect([events.length, badCount]).to.deep.equal([1, 0]);
    const event = events[0]!;
    if (event.kind !== 'book') throw new Error(`a ${event.kind}`);
    const { bids, asks, tickSize, lastTradePrice, hash } = event.snapshot;
    expect([bids.length, asks.length, tickSize, lastTradePrice]).to.deep.equal([34, 13, '0.01', '0.490']);
    expect(hash).to.equal('ece635d4bd153b1e236e21a5f200e72d23947489');
  });

  it('reads price changes of the market channel: two tokens each', () => {
    for (const text of readFixtureLines('ws_price_changes.jsonl')) {
      const { events, badCount } = parseMarketFrame(text);
      expect([events.length, badCount]).to.deep.equal([1, 0]);
      expect(events[0]!.kind === 'price_change' && events[0]!.changes.length).to.equal(2);
    }
  });

  it('reads a market of Gamma and its fee', () => {
    const parsed = parseGammaMarket(readFixtureJson('gamma_market.json'));
    if (parsed.kind !== 'market') throw new Error(parsed.reason);
    const { slug, outcomes, fee } = parsed.market;
    expect(slug).to.equal('hype-updown-5m-1782287400');
    expect(outcomes.map(({ label }) => label)).to.deep.equal(['Up', 'Down']);
    expect(fee).to.deep.equal({ rate: 0.07, exponent: 1, category: 'crypto_fees_v2', known: true });
  });

  it('reads a market of the CLOB and its fee', () => {
    expect(parseClobMarket(readFixtureJson('clob_market.json'))).to.deep.equal({
      conditionId: '0xdde06286a7b9464d344f410ab0b3d2ebc6469904e72c27fd982f65fdbf78768d',
      fee: { rate: 0.05, exponent: 1, category: 'clob fd', known: true },
      minOrderShares: 5,
      acceptingOrders: true,
    });
  });

  it('reads trades of the Data API', () => {
    const { fills, rows, skipped } = parseTradesV1(readFixtureJson('data_trades.json'))!;
    expect([fills.length, rows, skipped]).to.deep.equal([3, 3, 0]);
  });
});
