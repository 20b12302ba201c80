import { expect } from 'chai';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { readFixture, readFixtureLines } from '#test/support/fixtures';
import { checkHash } from '#wire/polymarket/check-hash';
import { parseMarketFrame } from '#wire/polymarket/market-channel';

interface WireBook {
  readonly market: string;
  readonly asset_id: string;
}

describe('real frames of the market channel', () => {
  it('lead to books with the hashes that the venue sent; inside a batch it is the hash of the last', () => {
    const first = readFixture('ws_book.json');
    const { market, asset_id } = JSON.parse(first) as WireBook;
    const book = new OrderBook(asset_id as TokenId, market as ConditionId);
    const table = new BookTable();
    table.add(book);
    const applier = new FrameApplier(table);
    const checks = [first, ...readFixtureLines('ws_price_changes.jsonl')].map((text) => {
      applier.apply(parseMarketFrame(text), 0);
      // The channel does not send these two; they are this market's.
      book.hashFields = { ...book.hashFields, minOrderSize: '5', negRisk: false };
      return checkHash(book);
    });
    const batch = ['differs', 'agrees'];
    expect(checks).to.deep.equal(['agrees', ...batch, 'agrees', 'agrees', 'agrees', 'agrees', ...batch]);
    expect(applier.counters).to.include({ frames: 9, bad: 0, foreign: 8 });
  });
});
