import { expect } from 'chai';
import { map, of } from 'rxjs';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier, type FrameOutcome } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { applyFrames } from '#streams/market-socket';

const [YES, NO] = ['111', '222'] as [TokenId, TokenId];
const MARKET = '0xabc' as ConditionId;

const bookFrame = (asset_id: string, timestamp: string, bids: object[], asks: object[], more = {}) => ({
  event_type: 'book',
  market: MARKET,
  asset_id,
  timestamp,
  hash: `h${timestamp}`,
  bids,
  asks,
  ...more,
});
const change = (asset_id: string, price: string, size: string, side = 'BUY', hash = 'h') => ({
  asset_id,
  price,
  size,
  side,
  hash,
  best_bid: '0',
  best_ask: '1',
});
const priceChange = (timestamp: string, ...price_changes: object[]) => ({
  event_type: 'price_change',
  market: MARKET,
  timestamp,
  price_changes,
});
const trade = (timestamp: string) => ({
  event_type: 'last_trade_price',
  market: MARKET,
  asset_id: YES,
  price: '0.490',
  size: '1',
  side: 'BUY',
  fee_rate_bps: '',
  timestamp,
});

/**
 * Applies frames to a table that holds YES (and NO where asked) and returns what came of it. Our
 * clock counts frames.
 */
function replay(frames: readonly unknown[], tokens: readonly TokenId[] = [YES]) {
  const table = new BookTable();
  for (const token of tokens) table.add(new OrderBook(token, MARKET));
  const applier = new FrameApplier(table);
  let nowMs = 0;
  let last: FrameOutcome = { touched: [], resolved: [] };
  of(...frames.map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame))))
    .pipe(
      map((text) => ({ kind: 'frame', bytes: Buffer.from(text), atMs: ++nowMs }) as const),
      applyFrames(applier),
    )
    .subscribe((outcome) => {
      last = outcome;
    });
  return {
    book: table.get(YES)!,
    table,
    counters: applier.counters,
    touched: () => last.touched,
    resolved: () => last.resolved,
  };
}

const BIDS = [
  { price: '0.48', size: '10' },
  { price: '0.49', size: '20.5' },
];
const ASKS = [
  { price: '0.52', size: '30' },
  { price: '0.51', size: '40' },
];
const snapshot = (timestamp = '1000') => bookFrame(YES, timestamp, BIDS, ASKS);

describe('applyFrames', () => {
  it('builds a book from a snapshot and changes in the current form', () => {
    const { book, counters, touched } = replay([
      snapshot(),
      priceChange('1001', change(YES, '0.495', '7'), change(NO, '0.505', '7', 'SELL')),
      priceChange('1002', change(YES, '0.51', '0', 'SELL')),
    ]);
    expect([book.bids.bestTicks, book.asks.bestTicks]).to.deep.equal([4_950, 5_200]);
    expect(counters).to.include({ frames: 3, applied: 3, foreign: 1, bad: 0 });
    expect(book.confirmedAtMs).to.equal(3);
    expect(touched()).to.deep.equal([YES]);
  });

  it('understands the legacy form, where one token has changes[]', () => {
    const legacy = {
      event_type: 'price_change',
      market: MARKET,
      asset_id: YES,
      hash: 'h',
      timestamp: '1001',
      changes: [{ price: '0.49', size: '0', side: 'BUY' }],
    };
    expect(replay([snapshot(), legacy]).book.bids.bestTicks).to.equal(4_800);
  });

  it('understands an array of events', () => {
    const { table } = replay([[snapshot(), bookFrame(NO, '1000', ASKS, BIDS)]], [YES, NO]);
    expect(table.get(NO)!.synced && table.get(YES)!.synced).to.equal(true);
  });

  it('counts a frame that cannot be read, throws nothing, and trusts no book of the connection until it is confirmed', () => {
    for (const bad of [
      '{not json}',
      '[1,2',
      '{"event_type":"price_change"}',
      JSON.stringify(priceChange('x', change(YES, '0.5', '1'))),
    ]) {
      const { book, counters } = replay([snapshot(), bad, priceChange('1001', change(YES, '0.49', '1'))]);
      expect(counters.bad, bad).to.equal(1);
      expect([book.doubt, book.confirmedAtMs]).to.deep.equal(['unreadable_frame', 1]);
    }
  });

  it('is about its own books alone, whatever the venue tells everybody', () => {
    const elsewhere = { event_type: 'book', market: '0xdef', asset_id: '999', timestamp: '1001', bids: [], asks: [] };
    const news = { event_type: 'new_market', market: '0xdef', assets_ids: ['998', '999'], timestamp: '1001' };
    for (const frame of [elsewhere, news, priceChange('1001', change(NO, '0.5', '1')), 'INVALID OPERATION']) {
      expect(replay([snapshot(), frame]).touched()).to.deep.equal([]);
    }
    expect(replay([snapshot(), trade('1001')]).touched()).to.deep.equal([YES]);
  });

  it('ignores kinds of events that it does not know', () => {
    const { counters, book } = replay([snapshot(), { event_type: 'fireworks', asset_id: YES }]);
    expect(counters).to.include({ ignored: 1, bad: 0 });
    expect(book.doubt).to.equal(null);
  });

  it('ends up with the same book when frames are sent twice', () => {
    const once = [
      snapshot(),
      priceChange('1001', change(YES, '0.495', '7')),
      priceChange('1002', change(YES, '0.48', '0')),
    ];
    const levels = (frames: readonly unknown[]) => [...replay(frames).book.bids.levels()];
    expect(levels(once.flatMap((frame) => [frame, frame]))).to.deep.equal(levels(once));
  });

  it('stops confirming a book whose frames came in the wrong order', () => {
    const { book, counters } = replay([
      snapshot(),
      priceChange('1005', change(YES, '0.49', '0')),
      priceChange('1003', change(YES, '0.49', '9')),
      priceChange('1006', change(YES, '0.48', '1')),
    ]);
    expect(counters.outOfOrder).to.equal(1);
    expect([book.doubt, book.confirmedAtMs, book.bids.bestTicks]).to.deep.equal(['out_of_order', 2, 4_800]);
  });

  it('knows after a trade that the books of both tokens are still to come', () => {
    const first = [snapshot(), bookFrame(NO, '1000', [], [])];
    const before = replay([...first, trade('1001')], [YES, NO]);
    expect([before.book.doubt, before.table.get(NO)!.doubt]).to.deep.equal([
      'trade_without_book',
      'trade_without_book',
    ]);
    const after = replay([...first, trade('1001'), snapshot('1001')], [YES, NO]);
    expect([after.book.doubt, after.table.get(NO)!.doubt]).to.deep.equal([null, 'trade_without_book']);
  });

  it('is not worried by a trade whose book came first', () => {
    expect(replay([snapshot('1001'), trade('1001')]).book.doubt).to.equal(null);
  });

  it('wants a second look after a change of tick size', () => {
    const frame = {
      event_type: 'tick_size_change',
      market: MARKET,
      asset_id: YES,
      old_tick_size: '0.01',
      new_tick_size: '0.001',
      timestamp: '1001',
    };
    const { book } = replay([snapshot(), frame]);
    expect([book.doubt, book.hashFields.tickSize]).to.deep.equal(['tick_size', '0.001']);
  });

  it('takes an agreeing top of book as confirmation, and a differing one as nothing', () => {
    const top = (best_bid: string) => ({
      event_type: 'best_bid_ask',
      market: MARKET,
      asset_id: YES,
      best_bid,
      best_ask: '0.51',
      spread: '0.02',
      timestamp: '1001',
    });
    expect(replay([snapshot(), top('0.49')]).book.confirmedAtMs).to.equal(2);
    expect(replay([snapshot(), top('0.40')]).book).to.include({ confirmedAtMs: 1, doubt: null });
  });

  it('passes on which markets are resolved', () => {
    const frame = {
      event_type: 'market_resolved',
      id: '1',
      market: MARKET,
      assets_ids: [YES, NO],
      winning_asset_id: YES,
      winning_outcome: 'Yes',
      timestamp: '1',
    };
    expect(replay([frame]).resolved()).to.deep.equal([MARKET]);
  });
});
