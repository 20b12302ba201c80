import { expect } from 'chai';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { KnownToken } from '#domain/book/known-token';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { marketFrameReader } from '#wire/polymarket/market-channel';

const MARKET = '0xabc' as ConditionId;
const A = '1'.repeat(77) as TokenId;
const bookOf = (id: TokenId) => new OrderBook(id, MARKET);

/** A frame in the layout of the venue, with one change of a token. */
const frameOf = (asset_id: TokenId, timestamp: number) => {
  const more = { hash: '0f'.repeat(20), best_bid: '0.4', best_ask: '0.6' };
  const price_changes = [{ asset_id, price: '0.4', size: '7', side: 'BUY', ...more }];
  const frame = {
    market: `0x${'0b'.repeat(32)}`,
    price_changes,
    timestamp: String(timestamp),
    event_type: 'price_change',
  };
  return Buffer.from(JSON.stringify(frame));
};

describe('the book of a known token', () => {
  it('is the one that the table has, whatever was found before', () => {
    const table = new BookTable();
    const token = new KnownToken(A);
    expect(table.bookOf(token)).to.equal(undefined);
    const first = bookOf(A);
    table.add(first);
    expect(table.bookOf(token)).to.equal(first);
    table.drop(A);
    expect(table.bookOf(token)).to.equal(undefined);
    const second = bookOf(A);
    table.add(second);
    expect(table.bookOf(token)).to.equal(second);
  });

  it('is not held by the token once it is gone', () => {
    const table = new BookTable();
    const token = new KnownToken(A);
    table.add(bookOf(A));
    table.bookOf(token);
    table.drop(A);
    expect([token.table, token.found]).to.deep.equal([null, undefined]);
  });

  it('is each table’s own', () => {
    const tables = [new BookTable(), new BookTable()];
    const books = tables.map((table) => {
      const book = bookOf(A);
      table.add(book);
      return book;
    });
    const token = new KnownToken(A);
    for (const no of [0, 1, 0, 1]) expect(tables[no]!.bookOf(token)).to.equal(books[no]);
  });

  it('is found also after more tokens were asked for than a table remembers', () => {
    const table = new BookTable();
    const book = bookOf(A);
    table.add(book);
    const token = new KnownToken(A);
    expect(table.bookOf(token)).to.equal(book);
    for (let n = 0; n < 100_000; n++) table.bookOf(new KnownToken(String(n) as TokenId));
    table.drop(A);
    expect(table.bookOf(token)).to.equal(undefined);
  });

  it('gets the frames of a connection from when it is there until it is gone', () => {
    const table = new BookTable();
    const applier = new FrameApplier(table);
    const read = marketFrameReader();
    const apply = (atMs: number) => applier.apply(read(frameOf(A, atMs)), atMs);
    apply(1);
    const book = bookOf(A);
    book.synced = true;
    table.add(book);
    apply(2);
    apply(3);
    table.drop(A);
    apply(4);
    expect(book.timestampMs).to.equal(3);
    expect(applier.counters).to.include({ scanned: 4, foreign: 2, applied: 2 });
  });
});
