import { mock } from 'node:test';
import { expect } from 'chai';
import { BookTable } from '#domain/book/book-table';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { FeedEvent } from '#machines/feed.machine';
import { FeedSocket, type FeedSocketDeps } from '#services/books/feed-socket';
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
  const socket = new FeedSocket(table, {
    connect: sockets.connect,
    clock: { elapsedMs: () => 7 },
    log,
    onResolved: (conditionId) => resolved.push(conditionId),
    onHashChecked: () => undefined,
    ...more,
  });
  const machine = { awaits: true };
  socket.open({ send: (event) => events.push(event), awaitsData: () => machine.awaits });
  const say = (frame: object) => sockets.last.handlers.onText(Buffer.from(JSON.stringify(frame)));
  return { sockets, socket, book, events, resolved, machine, log, say, types: () => events.map(({ type }) => type) };
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
    expect(open.types(), 'stalled').to.deep.equal(['data.received', 'data.received']);
    expect(open.socket.counters).to.include({ frames: 13, applied: 11, ignored: 2 });
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
