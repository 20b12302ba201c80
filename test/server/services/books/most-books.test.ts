import { expect } from 'chai';
import type { BookSnapshot } from '#domain/book/book';
import type { ConditionId, TokenId } from '#domain/ids';
import { Books } from '#services/books/books';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';
import { tokenId } from '#test/support/sample-markets';

/** As many as are kept fresh at once. */
const TOKENS_MAX = 4_000;
const MARKET = '0xm' as ConditionId;

const snapshot = (token: TokenId): BookSnapshot => ({
  tokenId: token,
  conditionId: MARKET,
  bids: [{ priceTicks: 4_900, sizeMicros: 1_000_000 }],
  asks: [{ priceTicks: 5_100, sizeMicros: 1_000_000 }],
  timestampMs: 1,
  hash: null,
  minOrderSize: null,
  tickSize: null,
  negRisk: null,
  lastTradePrice: null,
});

describe('books of more tokens than are kept fresh', () => {
  let books: Books;

  beforeEach(() => {
    books = new Books({
      connect: new FakeTextSockets().connect,
      source: { fetchBook: async (token) => snapshot(token), fetchBooks: async () => new Map() },
      clock: new ManualClock(),
      random: { next: () => 0, bytes: (count) => new Uint8Array(count) },
      log: new RecordedLog(),
    });
  });
  afterEach(() => books.stop());

  it('are let go of by when they were last asked for, be it at hand', async () => {
    const tokens = Array.from({ length: TOKENS_MAX }, (_, n) => tokenId(`${n + 1}`));
    for (const token of tokens) await books.getBook(token, MARKET, 10_000);
    const [first, second] = tokens as [TokenId, TokenId];
    expect(books.getCached(first, 10_000)).to.have.property('ageMs', 0);
    await books.getBook(tokenId('9999'), MARKET, 10_000);
    expect(books.report().held).to.equal(TOKENS_MAX);
    expect(books.isCached(first, 10_000), 'it was asked for since').to.equal(true);
    expect(books.isCached(second, 10_000), 'for longest not asked for').to.equal(false);
  });
});
