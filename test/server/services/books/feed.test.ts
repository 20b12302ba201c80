import { expect } from 'chai';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { REST_MS } from '#machines/feed.machine';
import { Feed, type FeedDeps, TOKENS_PER_SOCKET } from '#services/books/feed';
import { FREEZE_SILENCE_MS } from '#services/books/feed-shard';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';

const MARKET = '0xabc' as ConditionId;
const token = (n: number) => String(n) as TokenId;
const snapshotOf = (n: number) =>
  JSON.stringify({ event_type: 'book', market: MARKET, asset_id: token(n), timestamp: '1', bids: [], asks: [] });

/** A feed on sockets whose other end is the test. */
function newFeed(more: Partial<FeedDeps> = {}) {
  const sockets = new FakeTextSockets();
  const log = new RecordedLog();
  const clock = new ManualClock();
  const feed = new Feed({
    connect: sockets.connect,
    clock,
    time: clock,
    random: { next: () => 0, bytes: (count) => new Uint8Array(count) },
    log,
    onResolved: () => undefined,
    onHashChecked: () => undefined,
    ...more,
  });
  const states = () => log.facts.flatMap((facts) => ('state' in facts ? [facts.state] : []));
  return { feed, sockets, log, clock, states };
}

describe('the feed', () => {
  let made: ReturnType<typeof newFeed>;

  afterEach(() => made.feed.stop());

  it('opens a socket for every 200 books, and closes one that feeds nothing any more', () => {
    made = newFeed();
    const { feed, sockets } = made;
    for (let n = 0; n <= TOKENS_PER_SOCKET; n++) feed.add(new OrderBook(token(n), MARKET));
    expect(sockets.ends).to.have.length(2);
    feed.remove(token(TOKENS_PER_SOCKET));
    expect(sockets.ends.map(({ isClosed }) => isClosed)).to.deep.equal([false, true]);
    expect(feed.report()).to.include({ sockets: 1, tokens: TOKENS_PER_SOCKET });
  });

  it('goes on counting the frames of sockets that are closed', () => {
    made = newFeed();
    const { feed, sockets } = made;
    feed.add(new OrderBook(token(1), MARKET));
    sockets.act('open');
    sockets.act(snapshotOf(1));
    feed.remove(token(1));
    expect(feed.report()).to.deep.include({ sockets: 0, live: 0, silentMs: null });
    expect(feed.report().counters).to.include({ frames: 1, applied: 1 });
  });

  it('is live from the first book of a connection on, and logs each change of state once', () => {
    made = newFeed();
    const { feed, sockets, states } = made;
    feed.add(new OrderBook(token(1), MARKET));
    sockets.act('open');
    expect(feed.report().live).to.equal(0);
    for (let n = 0; n < 5; n++) sockets.act(snapshotOf(1));
    expect(feed.report().live).to.equal(1);
    expect(states()).to.deep.equal(['CONNECTING', 'SYNCING', 'LIVE']);
    sockets.act('close');
    expect(feed.report().live).to.equal(0);
    expect(states().at(-1)).to.equal('BACKING_OFF');
  });

  it('calls a socket stalled that missed a change after a long silence, and live again with its next frame', () => {
    made = newFeed();
    const { feed, sockets, clock, states } = made;
    feed.add(new OrderBook(token(1), MARKET));
    sockets.act('open');
    sockets.act(snapshotOf(1));
    feed.suspectFreeze(token(1));
    expect(states().at(-1), 'not silent').to.equal('LIVE');
    clock.advance(FREEZE_SILENCE_MS);
    feed.suspectFreeze(token(1));
    expect(states().at(-1)).to.equal('STALLED');
    expect(feed.report().live).to.equal(0);
    sockets.act(snapshotOf(1));
    expect(states().at(-1)).to.equal('LIVE');
  });

  it('opens no socket for tokens that are over, until a live one is added', () => {
    made = newFeed();
    const { feed, sockets, clock, states } = made;
    const over = new OrderBook(token(1), MARKET);
    feed.add(over);
    sockets.act('open');
    sockets.act(snapshotOf(1));
    sockets.last.handlers.onClose('closed (1000, all subscribed assets resolved)');
    expect(states().at(-1)).to.equal('RESTING');
    expect(over.synced, 'REST alone confirms it').to.equal(false);
    expect(feed.report(), 'none that is down').to.include({ sockets: 0, live: 0, tokens: 1, silentMs: null });
    feed.remove(token(1));
    for (let n = 0; n < 5; n++) {
      feed.add(new OrderBook(token(1), MARKET));
      feed.remove(token(1));
    }
    expect(sockets.ends, 'however often it is asked for').to.have.length(1);
    feed.add(new OrderBook(token(1), MARKET));
    feed.add(new OrderBook(token(2), MARKET));
    sockets.act('open');
    expect(JSON.parse(sockets.last.sent[0]!).assets_ids).to.deep.equal([token(2)]);
    clock.advance(REST_MS);
    feed.add(new OrderBook(token(1), MARKET));
    expect(JSON.parse(sockets.last.sent[1]!).assets_ids, 'a minute later').to.deep.equal([token(1)]);
  });

  it('takes no market for resolved of which a token was just asked for anew', () => {
    const resolved: ConditionId[] = [];
    made = newFeed({ onResolved: (conditionId) => resolved.push(conditionId) });
    const { feed, sockets, states } = made;
    const alive = '0xdef' as ConditionId;
    feed.add(new OrderBook(token(1), MARKET));
    feed.add(new OrderBook(token(2), alive));
    sockets.act('open');
    sockets.act(snapshotOf(1));
    sockets.act(snapshotOf(2));
    feed.suspectFreeze(token(2));
    sockets.last.handlers.onClose('closed (1000, all subscribed assets resolved)');
    expect(resolved, 'the venue knew of the other token alone').to.deep.equal([MARKET]);
    expect(states().at(-1)).to.equal('BACKING_OFF');
  });

  it('wakes a socket that rests for a live token', () => {
    made = newFeed();
    const { feed, sockets, states } = made;
    feed.add(new OrderBook(token(1), MARKET));
    sockets.act('open');
    sockets.act(snapshotOf(1));
    sockets.last.handlers.onClose('closed (1000, all subscribed assets resolved)');
    feed.add(new OrderBook(token(2), MARKET));
    expect(states().at(-1)).to.equal('CONNECTING');
    sockets.act('open');
    expect(JSON.parse(sockets.last.sent[0]!).assets_ids).to.deep.equal([token(2)]);
  });

  it('survives a machine that fails: its socket is closed, and other books get another one', () => {
    const next = () => {
      throw new Error('no chance');
    };
    made = newFeed({ random: { next, bytes: (count) => new Uint8Array(count) } });
    const { feed, sockets, log } = made;
    const book = new OrderBook(token(1), MARKET);
    feed.add(book);
    sockets.act('open');
    sockets.act(snapshotOf(1));
    sockets.act('close');
    expect(log.lines.at(-1)).to.equal('error feed machine failed: no chance');
    expect([sockets.last.isClosed, book.synced]).to.deep.equal([true, false]);
    feed.add(new OrderBook(token(2), MARKET));
    expect(sockets.ends).to.have.length(2);
    expect(feed.report(), 'the failed one is seen').to.include({ sockets: 2, live: 0, tokens: 2 });
    feed.remove(token(1));
    expect(feed.report()).to.include({ sockets: 1, tokens: 1 });
  });
});
