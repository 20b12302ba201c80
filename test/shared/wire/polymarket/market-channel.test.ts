import { expect } from 'chai';
import fc from 'fast-check';
import type { MarketEvent } from '#domain/book/book';
import { needCaptures, readCapture, readCaptureLines } from '#test/support/captures';
import { tokenId } from '#test/support/sample-markets';
import { PROPERTY_RUNS } from '#test/support/size';
import { bookHash } from '#wire/polymarket/book-hash';
import {
  isAllResolved,
  PONG,
  parseMarketFrame,
  subscribeMessage,
  unsubscribeMessage,
} from '#wire/polymarket/market-channel';

const NAUTILUS = 'ws-market/nautilus';
const SESSION = 'ws-market/session_1785130179.2026-07-27.jsonl';

const CHANGE = {
  event_type: 'price_change',
  market: '0xAB',
  timestamp: '1785130185252',
  price_changes: [{ asset_id: '7', price: '0.36', size: '10.5', side: 'BUY', hash: 'h', best_bid: '', best_ask: '' }],
};
const BOOK = { event_type: 'book', market: '0xAB', asset_id: '7', timestamp: '1', bids: [], asks: [] };

const parse = (value: unknown) => parseMarketFrame(JSON.stringify(value));

function only(value: unknown): MarketEvent {
  const { events, badCount } = typeof value === 'string' ? parseMarketFrame(value) : parse(value);
  expect({ count: events.length, badCount }).to.deep.equal({ count: 1, badCount: 0 });
  return events[0]!;
}

function expectBad(value: unknown): void {
  expect(parse(value), JSON.stringify(value)).to.deep.equal({ events: [], badCount: 1 });
}

describe('market channel frames', () => {
  it('reads every kind of message that others recorded', function () {
    needCaptures(this);
    const kinds = Object.fromEntries(
      [
        'py_book',
        'py_last_trade_price',
        'py_price_change',
        'py_price_change_v2',
        'py_tick_size_change',
        'ws_market_best_bid_ask_msg',
        'ws_market_book_msg',
        'ws_market_last_trade_msg',
        'ws_market_new_market_msg',
        'ws_market_price_change_msg',
        'ws_market_resolved_msg',
        'ws_market_tick_size_msg',
        'ws_quotes',
      ].map((name) => [name, only(readCapture(`${NAUTILUS}/${name}.json`)).kind]),
    );
    expect(kinds).to.deep.equal({
      py_book: 'book',
      py_last_trade_price: 'last_trade',
      py_price_change: 'price_change',
      py_price_change_v2: 'price_change',
      py_tick_size_change: 'tick_size',
      ws_market_best_bid_ask_msg: 'best_bid_ask',
      ws_market_book_msg: 'book',
      ws_market_last_trade_msg: 'last_trade',
      ws_market_new_market_msg: 'ignored',
      ws_market_price_change_msg: 'price_change',
      ws_market_resolved_msg: 'resolved',
      ws_market_tick_size_msg: 'tick_size',
      ws_quotes: 'price_change',
    });
  });

  it('reads a whole recorded session: 3 books and 29 changes of two tokens each', function () {
    needCaptures(this);
    const events = readCaptureLines(SESSION).map(only);
    const books = events.flatMap((event) => (event.kind === 'book' ? [event.snapshot] : []));
    const changes = events.flatMap((event) => (event.kind === 'price_change' ? [event.changes.length] : []));
    expect(books.map((book) => [book.tickSize, book.lastTradePrice, book.minOrderSize, book.negRisk])).to.deep.equal([
      ['0.01', '0.490', null, null],
      ['0.01', '0.490', null, null],
      ['0.01', '0.500', null, null],
    ]);
    expect(changes).to.have.length(29);
    expect(new Set(changes)).to.deep.equal(new Set([2]));
    expect(books[0]?.asks.at(-1)).to.deep.equal({ priceTicks: 5_000, sizeMicros: 86_200_090_000 });
  });

  it('reads a resolution by either of the fields that name the market, and none without both', () => {
    const resolved = { event_type: 'market_resolved', market: '0xABC', assets_ids: ['7', '8'] };
    const both = { kind: 'resolved', conditionId: '0xabc', tokenIds: ['7', '8'] };
    expect(only(resolved)).to.deep.equal(both);
    for (const market of [undefined, null, 7, '']) {
      expect(only({ ...resolved, market })).to.deep.equal({ ...both, conditionId: null });
    }
    for (const assets of [undefined, null, 'x', [7]]) {
      expect(only({ ...resolved, assets_ids: assets })).to.deep.include({ kind: 'resolved', conditionId: '0xabc' });
      if (JSON.stringify(assets) !== '[7]') expectBad({ ...resolved, market: null, assets_ids: assets });
    }
  });

  it('reads a price change', () => {
    expect(only(CHANGE)).to.deep.equal({
      kind: 'price_change',
      timestampMs: 1_785_130_185_252,
      changes: [{ tokenId: '7', priceTicks: 3_600, sizeMicros: 10_500_000, side: 'BUY', hash: 'h' }],
    });
  });

  it('reads both older forms of a price change as today’s', () => {
    const { price_changes: _, ...frame } = CHANGE;
    const change = { price: '0.36', size: '10.5', side: 'BUY' };
    const list = { ...frame, asset_id: '7', hash: 'h', changes: [change] };
    const flat = { ...frame, asset_id: '7', hash: 'h', ...change };
    expect(only(list)).to.deep.equal(only(CHANGE));
    expect(only(flat)).to.deep.equal(only(CHANGE));
    expect(only({ ...list, timestamp: 1_785_130_185_252 })).to.deep.equal(only(CHANGE));
  });

  it('reads a book with sides of either name, drops empty levels and takes absent texts as not told', () => {
    const level = [{ price: '.48', size: '30' }];
    const old = { ...BOOK, bids: undefined, asks: undefined, buys: level, sells: [{ price: '0.52', size: '0' }] };
    const event = only({ ...old, tick_size: '0.01', min_order_size: '', hash: '' });
    expect(event).to.deep.equal({
      kind: 'book',
      snapshot: {
        tokenId: '7',
        conditionId: '0xab',
        bids: [{ priceTicks: 4_800, sizeMicros: 30_000_000 }],
        asks: [],
        timestampMs: 1,
        hash: null,
        minOrderSize: null,
        tickSize: '0.01',
        negRisk: null,
        lastTradePrice: null,
      },
    });
  });

  it('keeps the empty last trade price of a market that never traded, because the book hash covers it', () => {
    expect(only({ ...BOOK, last_trade_price: '' })).to.have.nested.property('snapshot.lastTradePrice', '');
    expect(only(BOOK)).to.have.nested.property('snapshot.lastTradePrice', null);
  });

  it('takes a side that is null as empty if its hash says so, and a side that is lost or missing as a bad book', () => {
    const fields = { min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '0.490' };
    const book = { ...BOOK, ...fields, bids: [{ price: '0.4', size: '10' }] };
    const { snapshot } = only({ ...book, asks: [] }) as Extract<MarketEvent, { kind: 'book' }>;
    const hash = bookHash({
      ...snapshot,
      timestampMs: snapshot.timestampMs!,
      bidsAscending: snapshot.bids,
      asksDescending: [],
    });
    expect(only({ ...book, asks: null, hash }))
      .to.have.nested.property('snapshot.asks')
      .that.deep.equals([]);
    expectBad({ ...book, asks: null, hash: 'ab'.repeat(20) });
    expectBad({ ...book, asks: null });
    expectBad({ ...BOOK, asks: undefined });
  });

  it('reads a price change or a book whose type is not told, in whatever way and of whatever form', () => {
    const { price_changes: _, ...frame } = CHANGE;
    const older = { ...frame, asset_id: '7', changes: [{ price: '0.36', size: '10.5', side: 'BUY' }] };
    const { bids, asks, ...named } = BOOK;
    for (const event_type of [undefined, null, '']) {
      for (const change of [CHANGE, older]) expect(only({ ...change, event_type }).kind).to.equal('price_change');
      for (const book of [BOOK, { ...named, buys: bids, sells: asks }])
        expect(only({ ...book, event_type })).to.deep.equal(only(BOOK));
      expectBad({ ...named, event_type, asks });
      expect(only({ ...named, event_type }).kind).to.equal('ignored');
    }
  });

  it('reads an empty side of the best prices as null, however it is written', () => {
    const best = { event_type: 'best_bid_ask', asset_id: '7', market: '0xab', timestamp: '1' };
    const ticks = (bid: unknown, ask: unknown) => {
      const event = only({ ...best, best_bid: bid, best_ask: ask });
      return event.kind === 'best_bid_ask' ? [event.bestBidTicks, event.bestAskTicks] : event;
    };
    expect(ticks('0.73', '0.77')).to.deep.equal([7_300, 7_700]);
    expect(ticks('0', '1')).to.deep.equal([null, null]);
    expect(ticks('', undefined)).to.deep.equal([null, null]);
    expectBad({ ...best, best_bid: '1.01', best_ask: '' });
  });

  it('keeps the last trade price as the venue wrote it, because the book hash needs its zeros', () => {
    const trade = { event_type: 'last_trade_price', asset_id: '7', market: '0xab', timestamp: 5, price: '0.490' };
    expect(only(trade)).to.include({ kind: 'last_trade', price: '0.490', timestampMs: 5 });
    expectBad({ ...trade, price: '' });
  });

  it('counts a bad event of an array and keeps the others', () => {
    const bad = { ...CHANGE, price_changes: [{ ...CHANGE.price_changes[0], price: 'x' }] };
    const { events, badCount } = parse([CHANGE, bad, 7, null, [CHANGE], { event_type: 'news' }, BOOK]);
    expect(events.map((event) => event.kind)).to.deep.equal(['price_change', 'ignored', 'book']);
    expect(badCount).to.equal(4);
  });

  it('refuses prices that no share can have, in changes and in books', () => {
    for (const price of ['0', '1', '1.5', '0.00001', '-0.5', '']) {
      expectBad({ ...CHANGE, price_changes: [{ ...CHANGE.price_changes[0], price }] });
      expectBad({ ...BOOK, bids: [{ price, size: '1' }] });
    }
    expectBad({ ...CHANGE, price_changes: [{ ...CHANGE.price_changes[0], side: 'buy' }] });
    expectBad({ ...CHANGE, timestamp: '' });
    const old = { asset_id: '7', price: '0.5', size: '1', side: 'BUY' };
    expectBad({ ...CHANGE, ...old, price_changes: [{ ...CHANGE.price_changes[0], side: 'buy' }] });
    expectBad({ ...CHANGE, timestamp: '12.5' });
    expectBad({ ...BOOK, asset_id: '0x7' });
  });

  it('refuses a book with a price twice, for none can tell which of its sizes counts', () => {
    const level = (price: string, size: string) => ({ price, size });
    expect(only({ ...BOOK, bids: [level('0.4', '1')], asks: [level('0.4', '1')] }).kind).to.equal('book');
    for (const twice of [level('0.5', '7'), level('0.5', '1000'), level('0.50', '0'), { price: 0.5, size: 7 }]) {
      expectBad({ ...BOOK, asks: [level('0.6', '1'), level('0.5', '1000'), twice] });
      expectBad({ ...BOOK, bids: [twice, level('0.4', '1'), level('0.5', '1000')] });
    }
  });

  it('finds nothing in a PONG or an empty list, and something bad in a text that is no JSON', () => {
    expect(parseMarketFrame(PONG)).to.deep.equal({ events: [], badCount: 0 });
    expect(parseMarketFrame('[]')).to.deep.equal({ events: [], badCount: 0 });
    for (const text of ['', '{"event_type":', '[1,2', 'null', '7', 'torn"}]', '\u0000\u0001', 'x'.repeat(201)]) {
      expect(parseMarketFrame(text), text).to.deep.equal({ events: [], badCount: 1 });
    }
  });

  it('ignores a line in words, which is no part of a message', () => {
    for (const text of ['INVALID OPERATION', 'Too many requests: slow down, please', 'pong']) {
      expect(only(text)).to.deep.equal({ kind: 'ignored', eventType: text });
    }
  });

  describe('with a field left out that may be left out', () => {
    const TRADE = { event_type: 'last_trade_price', asset_id: '7', market: '0xab', price: '0.49', timestamp: '5' };
    const BEST = { event_type: 'best_bid_ask', asset_id: '7', market: '0xab', best_bid: '0.4', best_ask: '0.5' };
    const TICK = { event_type: 'tick_size_change', asset_id: '7', market: '0xab', new_tick_size: '0.001' };
    const entry = (over: object) => ({ ...CHANGE, price_changes: [{ ...CHANGE.price_changes[0], ...over }] });
    const ROWS: readonly (readonly [string, object, string, unknown])[] = [
      ['a book without a hash', { ...BOOK, hash: null }, 'snapshot.hash', null],
      ['a book without a time', { ...BOOK, timestamp: null }, 'snapshot.timestampMs', null],
      ['a change without a hash', entry({ hash: null }), 'changes[0].hash', null],
      ['a change without best prices', entry({ best_bid: null, best_ask: null }), 'changes[0].hash', 'h'],
      ['a change without a time', { ...CHANGE, timestamp: null }, 'timestampMs', null],
      ['a trade without a time', { ...TRADE, timestamp: null }, 'timestampMs', null],
      ['a top without a time', { ...BEST, timestamp: null }, 'timestampMs', null],
      ['a top of an empty book', { ...BEST, best_bid: null, best_ask: null, timestamp: '1' }, 'bestBidTicks', null],
      ['a price step without a time', { ...TICK, timestamp: null, old_tick_size: null }, 'tickSize', '0.001'],
    ];
    for (const [name, frame, path, expected] of ROWS) {
      it(`reads ${name}, whether it is null or absent`, () => {
        expect(only(frame)).to.have.nested.property(path, expected);
        const absent = JSON.parse(JSON.stringify(frame), (_, value: unknown) => (value === null ? undefined : value));
        expect(only(absent)).to.deep.equal(only(frame));
      });
    }

    it('refuses one that is there and cannot be read', () => {
      for (const frame of [BOOK, CHANGE, TRADE, BEST]) expectBad({ ...frame, timestamp: 'soon' });
      expectBad(entry({ hash: 7 }));
    });
  });

  it('tells the same announcement of a trade from another one', () => {
    const trade = { event_type: 'last_trade_price', asset_id: '7', market: '0xab', price: '0.49', timestamp: '5' };
    const idOf = (over: object) => {
      const event = only({ ...trade, size: '10', transaction_hash: '0x1', ...over });
      return event.kind === 'last_trade' ? event.id : event;
    };
    expect(idOf({})).to.equal(idOf({}));
    for (const over of [{ size: '11' }, { transaction_hash: '0x2' }, { timestamp: '6' }, { price: '0.5' }]) {
      expect(idOf(over)).to.not.equal(idOf({}));
    }
  });

  it('knows a connection that was closed because its tokens are over', () => {
    expect(isAllResolved('closed (1000, all subscribed assets resolved)')).to.equal(true);
    for (const reason of ['closed (1000)', 'closed (1013, slow consumer)', 'closed (1006)', 'closed by us']) {
      expect(isAllResolved(reason), reason).to.equal(false);
    }
  });

  it('names what it ignores, but not at any length', () => {
    expect(only({ event_type: 'new_market' })).to.deep.equal({ kind: 'ignored', eventType: 'new_market' });
    expect(only({ event_type: 'x'.repeat(1_000) })).to.deep.equal({ kind: 'ignored', eventType: 'x'.repeat(40) });
    expect(only({ hello: 1 })).to.deep.equal({ kind: 'ignored', eventType: '' });
    expect(only({ event_type: {} })).to.deep.equal({ kind: 'ignored', eventType: 'object' });
  });

  it('never throws, whatever arrives', () => {
    const types = fc.constantFrom('book', 'price_change', 'last_trade_price', 'tick_size_change', 'best_bid_ask');
    const noise = fc.oneof(fc.constantFrom('', '0.5', '7', 'BUY', null, -1, 1e300), fc.jsonValue({ maxDepth: 2 }));
    const keys = ['market', 'asset_id', 'timestamp', 'price', 'size', 'side', 'hash', 'bids', 'asks', 'changes'];
    const extra = ['price_changes', 'assets_ids', 'best_bid', 'best_ask', 'new_tick_size'];
    const fields = Object.fromEntries([...keys, ...extra].map((key) => [key, noise]));
    const message = fc.record({ event_type: fc.oneof(types, fc.jsonValue()), ...fields }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          message.map((m) => JSON.stringify(m)),
        ),
        (text) => {
          const { events, badCount } = parseMarketFrame(text);
          expect(events.length + badCount).to.be.at.least(0);
          for (const event of events) {
            if (event.kind !== 'price_change') continue;
            for (const { priceTicks } of event.changes) expect(priceTicks).to.be.within(1, 9_999);
          }
        },
      ),
      { numRuns: PROPERTY_RUNS / 2 },
    );
  });
});

describe('market channel requests', () => {
  const tokens = [tokenId('7'), tokenId('8')];

  it('asks for the first tokens in the form that opens a connection, and for later ones by operation', () => {
    expect(JSON.parse(subscribeMessage(tokens, true))).to.deep.equal({
      assets_ids: ['7', '8'],
      type: 'market',
      initial_dump: true,
      level: 2,
      custom_feature_enabled: true,
    });
    expect(JSON.parse(subscribeMessage(tokens, false))).to.deep.equal({
      operation: 'subscribe',
      assets_ids: ['7', '8'],
      initial_dump: true,
      custom_feature_enabled: true,
    });
  });

  it('takes tokens back by operation', () => {
    expect(JSON.parse(unsubscribeMessage(tokens))).to.deep.equal({ operation: 'unsubscribe', assets_ids: ['7', '8'] });
  });
});
