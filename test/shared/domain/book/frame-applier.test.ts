import { expect } from 'chai';
import type { MarketEvent, StreamedBook } from '#domain/book/book';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier, FUTURE_MS, LATE_MS } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';

const MARKET = '0xabc' as ConditionId;
const OTHER_MARKET = '0xdef' as ConditionId;
const YES = '1' as TokenId;
const WALL_MS = 1_780_000_000_000;
/** Our elapsed time at that wall time. */
const NOW_MS = 500_000;

const bookAt = (timestampMs: number, conditionId = MARKET): StreamedBook => ({
  ...{ tokenId: YES, conditionId, timestampMs, hash: null },
  bids: [{ priceTicks: 4_000, sizeMicros: 5_000_000 }],
  asks: [{ priceTicks: 6_000, sizeMicros: 5_000_000 }],
  ...{ minOrderSize: null, tickSize: null, negRisk: null, lastTradePrice: null },
});
const changeAt = (timestampMs: number, sizeMicros: number): MarketEvent => ({
  kind: 'price_change',
  timestampMs,
  changes: [{ tokenId: YES, side: 'BUY', priceTicks: 4_000, sizeMicros, hash: null }],
});

/** A book that was asked for a second ago, and what brings it the events of a moment. */
function subscribed() {
  const book = new OrderBook(YES, MARKET);
  book.renew(NOW_MS - 1_000);
  const table = new BookTable();
  table.add(book);
  const applier = new FrameApplier(table, () => WALL_MS);
  const apply = (...events: MarketEvent[]) => applier.apply({ events, badCount: 0 }, NOW_MS);
  return { book, applier, apply };
}

describe('an event of the market channel', () => {
  it('with the first book confirms it as of when it was asked for, however long ago it changed', () => {
    const { book, apply } = subscribed();
    apply({ kind: 'book', snapshot: bookAt(WALL_MS - 86_400_000) });
    expect(book.ageMs(NOW_MS)).to.equal(1_000);
  });

  it('with the best prices of before the last change confirms nothing, though they agree', () => {
    const { book, applier, apply } = subscribed();
    apply({ kind: 'book', snapshot: bookAt(WALL_MS - 1_000) }, changeAt(WALL_MS, 7));
    for (const [timestampMs, ageMs] of [
      [WALL_MS - 1, 500],
      [WALL_MS, 0],
    ] as const) {
      const top: MarketEvent = {
        kind: 'best_bid_ask',
        tokenId: YES,
        bestBidTicks: 4_000,
        bestAskTicks: 6_000,
        timestampMs,
      };
      applier.apply({ events: [top], badCount: 0 }, NOW_MS + 500);
      expect(book.ageMs(NOW_MS + 500)).to.equal(ageMs);
    }
  });

  it('confirms a book as of when the venue wrote it, but for what may be the difference of two clocks', () => {
    for (const [agoMs, ageMs] of [
      [-LATE_MS, 0],
      [0, 0],
      [LATE_MS, 0],
      [LATE_MS + 1, 1_000],
      [30_000, 1_000],
    ] as const) {
      const { book, apply } = subscribed();
      apply({ kind: 'book', snapshot: bookAt(WALL_MS - 86_400_000) }, changeAt(WALL_MS - agoMs, 7));
      expect(book.ageMs(NOW_MS), `${agoMs} ms ago, and never older than it was`).to.equal(ageMs);
      apply({ kind: 'best_bid_ask', tokenId: YES, bestBidTicks: 4_000, bestAskTicks: 6_000, timestampMs: WALL_MS });
      expect(book.ageMs(NOW_MS), 'once the channel has caught up').to.equal(0);
    }
  });

  it('said again confirms nothing', () => {
    const { book, applier, apply } = subscribed();
    apply({ kind: 'book', snapshot: bookAt(WALL_MS - 5_000) }, changeAt(WALL_MS, 7));
    applier.apply({ events: [changeAt(WALL_MS - 9_000, 7)], badCount: 0 }, NOW_MS + 9_000);
    expect(book.ageMs(NOW_MS + 9_000)).to.equal(9_000);
  });

  it('with a time that is still to come is taken for the newest, and stands in the way of none that follows', () => {
    for (const aheadMs of [FUTURE_MS + 1, WALL_MS * 999]) {
      const { book, apply } = subscribed();
      apply({ kind: 'book', snapshot: bookAt(WALL_MS + aheadMs) }, changeAt(WALL_MS + aheadMs, 7));
      apply(changeAt(WALL_MS, 9));
      expect(book.bids.bestTicks).to.equal(4_000);
      expect([book.timestampMs, book.ageMs(NOW_MS), book.doubt]).to.deep.equal([WALL_MS, 0, null]);
    }
  });

  it('with a trade of a time that is still to come leaves no doubt that nothing ends', () => {
    const { book, apply } = subscribed();
    apply({ kind: 'book', snapshot: { ...bookAt(WALL_MS), lastTradePrice: '0.4' } });
    const trade = (price: string, timestampMs: number, id: string) =>
      apply({ kind: 'last_trade', tokenId: YES, conditionId: MARKET, price, timestampMs, id });
    trade('0.41', WALL_MS + 3_600_000, 'a');
    trade('0.42', WALL_MS + 1_000, 'b');
    expect(book.hashFields.lastTradePrice).to.equal('0.42');
  });

  it('confirms a book that never has a time as of when it came, but for the first', () => {
    const { book, applier, apply } = subscribed();
    const untimed = { ...bookAt(0), timestampMs: null };
    apply({ kind: 'book', snapshot: untimed });
    expect(book.ageMs(NOW_MS)).to.equal(1_000);
    applier.apply({ events: [{ kind: 'book', snapshot: untimed }], badCount: 0 }, NOW_MS + 30_000);
    expect(book.ageMs(NOW_MS + 30_000)).to.equal(0);
  });

  it('with the book of another market is none, and puts the one that is held in doubt', () => {
    const { book, applier, apply } = subscribed();
    apply({ kind: 'book', snapshot: bookAt(WALL_MS, OTHER_MARKET) });
    expect([book.bids.bestTicks, book.doubt, applier.counters.bad]).to.deep.equal([null, 'unreadable_frame', 1]);
    // Another form of its name may be of the same market.
    apply({ kind: 'book', snapshot: bookAt(WALL_MS, '0xabc0' as ConditionId) });
    expect(book.bids.bestTicks).to.equal(4_000);
  });

  it('of a resolution is known by the market or by its tokens', () => {
    const { apply } = subscribed();
    const resolved = (conditionId: ConditionId | null, ...tokenIds: TokenId[]) =>
      apply({ kind: 'resolved', conditionId, tokenIds }).resolved;
    expect(resolved(OTHER_MARKET)).to.deep.equal([OTHER_MARKET]);
    expect(resolved(MARKET, YES)).to.deep.equal([MARKET]);
    expect(resolved(null, YES, '2' as TokenId)).to.deep.equal([MARKET]);
    expect(resolved(null, '2' as TokenId)).to.deep.equal([]);
  });
});
