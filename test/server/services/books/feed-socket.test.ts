import { mock } from 'node:test';
import { expect } from 'chai';
import { BookTable } from '#domain/book/book-table';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { FeedEvent } from '#machines/feed.machine';
import { FeedSocket, type FeedSocketDeps } from '#services/books/feed-socket';
import { ResolvedTokens } from '#services/books/resolved-tokens';
import { PING_INTERVAL_MS, PONG_TIMEOUT_MS } from '#streams/market-socket';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';

const YES = '111' as TokenId;
const MARKET = '0xabc' as ConditionId;
const SNAPSHOT = {
  event_type: 'book',
  market: MARKET,
  asset_id: YES,
  timestamp: '1000',
  hash: 'h',
  bids: [],
  asks: [],
};
const RESOLVED = { event_type: 'market_resolved', market: MARKET, assets_ids: [YES], timestamp: '1001' };

/** A socket with one book, whose other end is the test, and the machine's side of it. */
function openSocket(more: Partial<FeedSocketDeps> = {}) {
  const sockets = new FakeTextSockets();
  const log = new RecordedLog();
  const book = new OrderBook(YES, MARKET);
  const table = new BookTable();
  table.add(book);
  const events: FeedEvent[] = [];
  const resolved: ConditionId[] = [];
  const clock = more.clock ?? { elapsedMs: () => 7 };
  const resolvedTokens = new ResolvedTokens(clock);
  const socket = new FeedSocket(table, {
    connect: sockets.connect,
    clock,
    time: { nowMs: () => 1_000 },
    log,
    resolvedTokens,
    onResolved: (conditionId) => resolved.push(conditionId),
    onHashChecked: () => undefined,
    ...more,
  });
  const machine = { awaits: true };
  socket.open({ send: (event) => events.push(event), awaitsData: () => machine.awaits });
  const say = (frame: object) => sockets.last.handlers.onText(Buffer.from(JSON.stringify(frame)));
  return {
    sockets,
    socket,
    table,
    book,
    events,
    resolved,
    resolvedTokens,
    machine,
    log,
    say,
    types: () => events.map(({ type }) => type),
  };
}

describe('the socket of a feed', () => {
  let open: ReturnType<typeof openSocket>;

  afterEach(() => open.socket.close());

  it('subscribes the books that are there when it opens, and later ones one by one', () => {
    open = openSocket();
    open.socket.subscribe('222' as TokenId);
    expect(open.sockets.last.sent, 'not open yet').to.deep.equal([]);
    open.sockets.act('open');
    open.socket.subscribe('222' as TokenId);
    open.socket.unsubscribe(YES);
    const sent = open.sockets.last.sent.map((text) => JSON.parse(text));
    expect(sent.map(({ assets_ids }) => assets_ids)).to.deep.equal([[YES], ['222'], [YES]]);
    expect(sent.map(({ operation }) => operation)).to.deep.equal([undefined, 'subscribe', 'unsubscribe']);
  });

  it('reports opening and closing to the machine', () => {
    open = openSocket();
    open.sockets.act('open');
    open.sockets.act('close');
    expect(open.events).to.deep.equal([{ type: 'socket.opened' }, { type: 'socket.closed', reason: 'gone' }]);
  });

  it('reports data only while the machine awaits it, and not before a book follows the socket', () => {
    open = openSocket();
    open.say({ event_type: 'fireworks' });
    expect(open.types(), 'no book yet').to.deep.equal([]);
    open.say(SNAPSHOT);
    expect(open.types()).to.deep.equal(['data.received']);
    open.machine.awaits = false;
    for (let n = 0; n < 10; n++) open.say(SNAPSHOT);
    expect(open.types(), 'live').to.deep.equal(['data.received']);
    open.machine.awaits = true;
    open.say({ event_type: 'fireworks' });
    expect(open.types(), 'stalled, and no word of its book').to.deep.equal(['data.received']);
    open.say(SNAPSHOT);
    expect(open.types(), 'stalled').to.deep.equal(['data.received', 'data.received']);
    expect(open.socket.counters).to.include({ frames: 14, applied: 12, ignored: 2 });
  });

  it('knows when data last came', () => {
    const clock = new ManualClock(1);
    open = openSocket({ clock });
    clock.advance(1);
    open.sockets.act('PONG');
    expect(open.socket.silentMs).to.equal(1);
    open.say(SNAPSHOT);
    expect([open.socket.silentMs, open.book.confirmedAtMs]).to.deep.equal([0, 2]);
  });

  it('takes only what is about its books as a sign that it carries them', () => {
    const clock = new ManualClock(1);
    open = openSocket({ clock });
    open.say(SNAPSHOT);
    clock.advance(400);
    const elsewhere = { market: '0xdef', asset_id: '999', timestamp: '1001' };
    open.say({ event_type: 'new_market', market: '0xdef', assets_ids: ['998', '999'], timestamp: '1001' });
    open.say({ event_type: 'market_resolved', market: '0xdef', assets_ids: ['998', '999'], timestamp: '1001' });
    open.say({ event_type: 'last_trade_price', ...elsewhere, price: '0.5', size: '1', side: 'BUY' });
    open.say({ event_type: 'best_bid_ask', ...elsewhere, best_bid: '0.4', best_ask: '0.5' });
    open.say({ event_type: 'book', ...elsewhere, bids: [], asks: [] });
    open.sockets.act('INVALID OPERATION');
    expect(open.socket.silentMs).to.equal(400);
    open.say({ event_type: 'best_bid_ask', market: MARKET, asset_id: YES, best_bid: null, best_ask: null });
    expect(open.socket.silentMs).to.equal(0);
  });

  describe('that the venue closes because all its tokens are resolved', () => {
    const OVER = 'closed (1000, all subscribed assets resolved)';
    const FRESH = '333' as TokenId;
    const closeOver = () => open.sockets.last.handlers.onClose(OVER);

    it('rests, and says which markets are resolved', () => {
      open = openSocket();
      open.sockets.act('open');
      open.say(SNAPSHOT);
      closeOver();
      expect(open.types()).to.deep.equal(['socket.opened', 'data.received', 'tokens.resolved']);
      expect(open.resolved).to.deep.equal([MARKET]);
      expect(open.resolvedTokens.has(YES)).to.equal(true);
    });

    it('connects again for a book that was asked for just before, and for no other', () => {
      open = openSocket();
      open.sockets.act('open');
      open.say(SNAPSHOT);
      open.table.add(new OrderBook(FRESH, '0xdef' as ConditionId));
      open.socket.subscribe(FRESH);
      closeOver();
      expect(open.types().at(-1)).to.equal('socket.closed');
      expect(open.resolved, 'the other may be alive').to.deep.equal([MARKET]);
      open.socket.close();
      open.socket.open({ send: () => undefined, awaitsData: () => false });
      open.sockets.act('open');
      expect(JSON.parse(open.sockets.last.sent[0]!).assets_ids).to.deep.equal([FRESH]);
    });

    it('rests where none of its books ever came, and claims nothing of their markets', () => {
      open = openSocket();
      open.sockets.act('open');
      closeOver();
      expect(open.types()).to.deep.equal(['socket.opened', 'tokens.resolved']);
      expect(open.resolved).to.deep.equal([]);
    });
  });

  for (const [name, stepMs] of [
    ['an hour back', -3_600_000],
    ['an hour ahead', 3_600_000],
  ] as const) {
    it(`gives a connection up that answers no PING, and no other, when the wall clock is set ${name}`, () => {
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        const clock = new ManualClock();
        open = openSocket({ clock });
        open.sockets.act('open');
        const pass = (ms: number) => {
          clock.advance(ms);
          mock.timers.tick(ms);
        };
        pass(PING_INTERVAL_MS - 1);
        open.sockets.act('PONG');
        clock.step(stepMs);
        pass(1);
        expect(open.types(), 'while it answers').to.deep.equal(['socket.opened']);
        const limitMs = PING_INTERVAL_MS + PONG_TIMEOUT_MS;
        for (let silentMs = 0; silentMs < limitMs; silentMs += PING_INTERVAL_MS) pass(PING_INTERVAL_MS);
        expect(open.types(), 'when it has not answered').to.deep.equal(['socket.opened', 'socket.closed']);
      } finally {
        mock.timers.reset();
      }
    });
  }

  it('passes on which markets are resolved', () => {
    open = openSocket();
    open.say(RESOLVED);
    expect(open.resolved).to.deep.equal([MARKET]);
  });

  it('takes its books off the channel when it closes', () => {
    open = openSocket();
    open.say(SNAPSHOT);
    expect(open.book.synced).to.equal(true);
    open.socket.close();
    expect([open.book.synced, open.sockets.last.isClosed]).to.deep.equal([false, true]);
  });

  it('gives the connection up when a frame meets an error of ours', () => {
    const onResolved = () => {
      throw new Error('broken');
    };
    open = openSocket({ onResolved });
    open.say(RESOLVED);
    expect(open.events).to.deep.equal([{ type: 'socket.closed', reason: 'a frame could not be applied' }]);
    expect(open.log.lines).to.deep.equal(['error frame not applied; the socket is replaced: broken']);
    expect(open.sockets.last.isClosed).to.equal(true);
  });
});
