import { expect } from 'chai';
import { distinctUntilChanged, map, merge, share, tap } from 'rxjs';
import { BookTable } from '#domain/book/book-table';
import type { Doubt } from '#domain/book/doubt';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { hashChecks } from '#streams/hash-checks';
import { applyFrames } from '#streams/market-socket';
import { testScheduler } from '#test/support/virtual-time';
import { VenueBook } from './support/venue-book.js';

const YES = '111' as TokenId;
const MARKET = '0xabc' as ConditionId;
/** What the letters of the expected diagrams stand for: the doubt about the book. */
const DOUBTS: Readonly<Record<string, Doubt | null>> = {
  n: null,
  t: 'trade_without_book',
  h: 'hash',
  o: 'out_of_order',
  u: 'unreadable_frame',
  k: 'tick_size',
};

/**
 * Plays what a venue says, a letter for each message, through the stream, which checks hashes every
 * 10 ms. Expects how the doubt about the book changes, and returns the book.
 */
function play(messages: string, expected: string, said: Record<string, object | string>): OrderBook {
  const test = testScheduler();
  const book = new OrderBook(YES, MARKET);
  const table = new BookTable();
  table.add(book);
  test.run(({ hot, expectObservable }) => {
    const applied$ = hot(messages, said).pipe(
      map((message) => (typeof message === 'string' ? message : JSON.stringify(message))),
      map((text) => ({ kind: 'frame', bytes: Buffer.from(text), atMs: test.now() }) as const),
      applyFrames(new FrameApplier(table)),
      map(({ touched }) => touched),
      share(),
    );
    const checked$ = applied$.pipe(
      hashChecks((tokenId) => table.get(tokenId), 10, test),
      tap(({ check }) => {
        if (check === 'differs') book.castDoubt('hash', 'any hash');
      }),
    );
    const doubts$ = merge(applied$, checked$).pipe(
      map(() => book.doubt),
      distinctUntilChanged(),
    );
    expectObservable(doubts$, '90ms !').toBe(expected, DOUBTS);
  });
  return book;
}

const newVenue = () => new VenueBook(YES, MARKET);

describe('a doubt about a book, and the hash that ends it', () => {
  describe('a trade that is announced after the book that has it', () => {
    it('is found in the book by its price, where that is new', () => {
      const venue = newVenue();
      const d = venue.book(true);
      venue.trade(1_100, '0.520');
      const book = play('d-b---a', 'n-----t---n', { d, b: venue.book(), a: venue.announcement(1_595, '0.520') });
      expect(book.asks.sizeAt(0)).to.equal(39_000_000);
      expect(book.hashFields.lastTradePrice).to.equal('0.520');
    });

    it('is found by the next change, where the price was the last one already', () => {
      const venue = newVenue();
      const d = venue.book(true);
      venue.trade(1_100, '0.490');
      const said = { d, b: venue.book(), a: venue.announcement(1_595, '0.490') };
      play('d-b---a', 'n-----t', said);
      const book = play('d-b---a 19ms c', 'n-----t 29ms n', { ...said, c: venue.change(2_000, 4_700, 1_000_000) });
      expect(book.confirmedAtMs, 'by the change that the hash came with').to.equal(26);
    });

    it('is not looked for in a change that was made before it', () => {
      const venue = newVenue();
      const d = venue.book(true);
      const a = venue.announcement(1_200, '0.490');
      const c = venue.change(1_150, 4_700, 1_000_000);
      play('d-a-c', 'n-t', { d, a, c });
    });

    it('is found whichever token its price is of, and with fewer zeros', () => {
      const venue = newVenue();
      const d = venue.book(true);
      venue.trade(1_100, '0.520');
      play('d-b---a', 'n-----t---n', { d, b: venue.book(), a: venue.announcement(1_595, '0.48') });
    });

    it('is not taken for another one that went to the same price before', () => {
      const venue = newVenue();
      const d = venue.book(true);
      venue.trade(1_100, '0.520');
      const b = venue.book();
      const [a, x, y] = [
        venue.announcement(1_595, '0.520'),
        venue.announcement(1_700, '0.530'),
        venue.announcement(1_800, '0.520'),
      ];
      play('d-b---(axy)', 'n-----t', { d, b, a, x, y });
    });

    it('ages no book before it is announced, though the hash has its price', () => {
      const venue = newVenue();
      const d = venue.book(true);
      venue.trade(1_100, '0.520');
      const b = venue.book();
      const c = venue.change(1_200, 4_700, 1_000_000);
      const said = { d, b, c, a: venue.announcement(1_595, '0.520') };
      const book = play('d-b 37ms c 14ms a', 'n 19ms h 34ms t 9ms n', said);
      expect(book.confirmedAtMs).to.equal(40);
    });
  });

  it('is cast by a trade whose book has not come, and ended by it', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.trade(1_100, '0.520');
    const a = venue.announcement(1_100, '0.520');
    play('d-a----b', 'n-t----n', { d, a, b: venue.book() });
  });

  it('is ended by changes that hold already what the trade took', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.trade(1_100, '0.520');
    const c = venue.change(1_100, 5_100, 39_000_000, 'SELL');
    const a = venue.announcement(1_100, '0.520');
    play('d-a-c', 'n-t-------n', { d, a, c });
    play('d-c-a', 'n', { d, c, a });
    play('d-c-a-b', 'n', { d, c, a, b: venue.book() });
  });

  it('is not ended by a book from before the trade that is said again', () => {
    for (const price of ['0.490', '0.520']) {
      const venue = newVenue();
      const c = venue.change(1_050, 4_700, 1_000_000);
      const d = venue.book(true);
      venue.trade(1_100, price);
      play('d-a-d-c-d', 'n-t', { d, c, a: venue.announcement(1_100, price) });
    }
  });

  it('is not cast anew by an announcement that is said again', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.trade(1_100, '0.520');
    const a = venue.announcement(1_595, '0.520');
    play('d-b---a 29ms aa', 'n-----t---n', { d, b: venue.book(), a });
  });

  it('is gone at once where what is said again was in the book already', () => {
    const venue = newVenue();
    const d = venue.book(true);
    const a = venue.change(1_100, 4_700, 1_000_000);
    const b = venue.change(1_200, 4_700, 2_000_000);
    const book = play('d-a-b 17ms a', 'n 21ms o 9ms n', { d, a, b });
    expect(book.bids.holds([...venue.levels('BUY')])).to.equal(true);
  });

  it('stays where the younger change was not the whole truth', () => {
    const venue = newVenue();
    const d = venue.book(true);
    const a = venue.change(1_100, 4_700, 1_000_000);
    const b = venue.change(1_200, 4_600, 2_000_000);
    play('d-b-a', 'n---o', { d, a, b });
  });

  it('is ended after an unreadable frame by the hash of a later change, and by none before', () => {
    const venue = newVenue();
    const d = venue.book(true);
    const c = venue.change(1_100, 4_700, 1_000_000);
    play('d-x-d', 'n-u', { d, x: '{"event_type":"price_change"' });
    const book = play('d-x-c', 'n-u-------n', { d, c, x: '{"event_type":"price_change"' });
    expect(book.confirmedAtMs).to.equal(4);
  });

  it('stays after an unreadable frame that was a change', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.set(1_100, 4_600, 1_000_000);
    const c = venue.change(1_200, 4_700, 1_000_000);
    play('d-x-c', 'n-u', { d, c, x: '{"event_type":"price_change"' });
  });

  it('is not cast by a line in words', () => {
    const venue = newVenue();
    play('d-x', 'n', { d: venue.book(true), x: 'INVALID OPERATION' });
  });

  it('is cast by a price step that was changed, and ended by the hash that has it', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.tickSize = '0.001';
    const c = venue.change(1_100, 4_700, 1_000_000);
    const k = venue.tickAnnouncement();
    play('d-k-c', 'n-k-------n', { d, k, c });
    play('d-c-k-k', 'n---k-----n', { d, k, c });
    play('d-k-b-k', 'n-k-n', { d, k, b: venue.book() });
  });

  it('is cast by a level that was left out, and ended by the whole book', () => {
    const venue = newVenue();
    const d = venue.book(true);
    venue.set(1_100, 4_600, 1_000_000);
    const c = venue.change(1_100, 4_700, 1_000_000);
    play('d-c 37ms b', 'n 19ms h 29ms n', { d, c, b: venue.book() });
  });

  it('is cast by nothing that the venue may leave out', () => {
    const venue = newVenue();
    const d = venue.book(true);
    const bare = (frame: object) => ({ ...frame, timestamp: undefined });
    const c = bare(venue.change(1_100, 4_700, 1_000_000));
    const b = bare(venue.book());
    const t = { event_type: 'best_bid_ask', market: MARKET, asset_id: YES, best_bid: null, best_ask: null };
    const h = { ...venue.book(), hash: null };
    const book = play('d-c-b-t-h', 'n', { d, c, b, t, h });
    expect(book.bids.holds([...venue.levels('BUY')])).to.equal(true);
    expect(book.confirmedAtMs).to.equal(8);
  });

  it('takes an opening book that carries the time of its last change as the newest', () => {
    const venue = newVenue();
    const c = venue.change(2_000, 4_700, 1_000_000);
    const d = venue.book(true);
    const book = play('d-c 20ms d', 'n', { d, c });
    expect(book.confirmedAtMs).to.equal(23);
  });
});
