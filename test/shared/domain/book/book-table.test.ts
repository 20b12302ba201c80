import { expect } from 'chai';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
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

describe('the book of a token', () => {
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
