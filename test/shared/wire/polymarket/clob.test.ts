import { expect } from 'chai';
import type { BookSnapshot, Level } from '#domain/book/book';
import { FEE_FREE, FEE_UNKNOWN } from '#domain/market';
import { needCaptures, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { hex64 } from '#test/support/trade-rows';
import { bookHash } from '#wire/polymarket/book-hash';
import { parseClobBook, parseClobMarket } from '#wire/polymarket/clob';

const FED = 'gamma/fed-decision-in-june-825';
const BOOK = {
  market: '0xAB',
  asset_id: '7',
  timestamp: '1785130185252',
  hash: 'h',
  bids: [{ price: '0.4', size: '10' }],
  asks: [{ price: '0.6', size: '10' }],
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '0.490',
};

const byPrice = (direction: 1 | -1) => (a: Level, b: Level) => (a.priceTicks - b.priceTicks) * direction;

function rehash(book: BookSnapshot): string | null {
  const bidsAscending = book.bids.toSorted(byPrice(1));
  return bookHash({ ...book, bidsAscending, asksDescending: book.asks.toSorted(byPrice(-1)) });
}

describe('CLOB books', () => {
  it('reproduces the hash of every recorded REST book from what was parsed', function () {
    needCaptures(this);
    const runs = readCaptureLines('clob-rest/books_run_20260311T214149Z.jsonl.gz') as { books: unknown[] }[];
    const fed = readCaptureJson(`${FED}/clob-books.json`) as unknown[];
    const single = readCaptureJson('clob-rest/clob_book.2026-06.json');
    const books = [...runs.flatMap((run) => run.books), ...fed, single].map(parseClobBook);
    const counts = { read: 0, reproduced: 0 };
    for (const book of books) {
      if (book === null) continue;
      counts.read++;
      if (rehash(book) === book.hash) counts.reproduced++;
    }
    expect(books).to.have.length(71);
    expect(counts).to.deep.equal({ read: 71, reproduced: 71 });
  });

  it('keeps the strings that the hash covers', () => {
    expect(parseClobBook(BOOK)).to.deep.equal({
      tokenId: '7',
      conditionId: '0xab',
      bids: [{ priceTicks: 4_000, sizeMicros: 10_000_000 }],
      asks: [{ priceTicks: 6_000, sizeMicros: 10_000_000 }],
      timestampMs: 1_785_130_185_252,
      hash: 'h',
      minOrderSize: '5',
      tickSize: '0.01',
      negRisk: false,
      lastTradePrice: '0.490',
    });
  });
});

describe('a side of a CLOB book that is null', () => {
  const sided = (hash: string) => parseClobBook({ ...BOOK, asks: null, hash });

  it('is empty where the hash of the book says so, and lost where it does not', () => {
    const { bids, ...facts } = parseClobBook({ ...BOOK, asks: [] })!;
    const hash = bookHash({ ...facts, bidsAscending: bids, asksDescending: [] })!;
    expect(sided(hash)).to.deep.include({ bids, asks: [] });
    expect(sided('ab'.repeat(20))).to.equal(null);
  });
});

describe('CLOB markets', () => {
  it('reads the fee of recorded markets', function () {
    needCaptures(this);
    const fed = (readCaptureJson(`${FED}/clob-markets.json`) as unknown[]).map(parseClobMarket);
    expect(fed.map((market) => market?.fee)).to.deep.equal(
      fed.map(() => ({ rate: 0.05, exponent: 1, category: 'clob fd', known: true })),
    );
    const politics = parseClobMarket(readCaptureJson('clob-rest/clob-markets_politics.2026-10-06.json'));
    expect(politics?.fee.rate).to.equal(0.04);
    expect(politics).to.include({ minOrderShares: 5, acceptingOrders: true });
  });

  it('takes an absent fd as free, and an odd one as unknown', () => {
    const fee = (fd?: unknown) => parseClobMarket({ c: hex64(0xab), fd })?.fee;
    expect(fee()).to.equal(FEE_FREE);
    expect(fee(null)).to.equal(FEE_FREE);
    for (const odd of [{}, { r: 0.05 }, { r: 0.05, e: 'x' }, { r: 0.05, e: 5 }, { r: -0.1, e: 1 }, { r: 2, e: 1 }]) {
      expect(fee(odd), JSON.stringify(odd)).to.equal(FEE_UNKNOWN);
    }
    expect(fee({ r: 0.25, e: 2 })).to.include({ rate: 0.25, exponent: 2, known: true });
    expect(fee({ r: '0.05', e: '0.5', to: true })).to.include({ rate: 0.05, exponent: 0.5, known: true });
    expect(fee({ r: 0, e: 0, to: true })).to.include({ rate: 0, exponent: 1, known: true });
    expect(parseClobMarket({ error: 'no' })).to.equal(null);
  });
});
