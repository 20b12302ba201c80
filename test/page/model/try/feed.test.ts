import { expect } from 'chai';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { ageMsAt, FEED_START, type FeedMessage, type FeedState, type Moment, receive } from '#page/model/book/feed';
import { feedWords, statusText } from '#page/model/book/feed-words';
import { eventData, TOKEN } from '#test/page/support/received-books';

/** The moment at which both clocks have gone on by so much. */
const at = (ms: number, wallMs = ms): Moment => ({ elapsedMs: ms, wallMs: 1_784_000_000_000 + wallMs });
const event = (data: string, name = 'book', atMs = 1_000, wallMs = atMs): FeedMessage => ({
  kind: 'event',
  name,
  data,
  at: at(atMs, wallMs),
});
const received = (...messages: readonly FeedMessage[]): FeedState =>
  messages.reduce((state, message) => receive(state, message, TOKEN), FEED_START);
const withAsk = (price: string) => ({ book: { ...DEMO_EXAMPLE.book, asks: [[price, '10']] } });
const bestAsk = ({ received: newest }: FeedState) => newest?.book.sides.asks.bestTicks;

describe('The feed of a book', () => {
  it('shows the newest book, aged by the clock of the browser since it came', () => {
    const state = received(
      { kind: 'opened' },
      event(eventData(1)),
      event(eventData(2, { ...withAsk('0.6'), server_time_ms: 1_784_000_001_001 }), 'book', 2_000),
    );
    expect(state).to.include({ phase: 'live', trouble: null });
    expect(bestAsk(state)).to.equal(6_000);
    expect(ageMsAt(state.received!, at(2_000))).to.equal(420);
    expect(ageMsAt(state.received!, at(3_500.4))).to.equal(1_920);
    expect(ageMsAt(state.received!, at(1_000)), 'a clock that went back').to.equal(420);
  });

  it('lets a book grow old while the machine sleeps, though a clock stood still', () => {
    const { received: book } = received({ kind: 'opened' }, event(eventData(1)));
    expect(ageMsAt(book!, at(1_010, 90_000))).to.equal(420 + 89_000);
    expect(ageMsAt(book!, at(5_000, 1_000)), 'a wall clock that was set back').to.equal(420 + 4_000);
  });

  it('counts how long an event was on its way, and not how far apart the clocks are', () => {
    const late = (ms: number) => event(eventData(2), 'book', ms);
    const lateness = (message: FeedMessage) =>
      received({ kind: 'opened' }, event(eventData(1)), message).received!.lateMs;
    expect(lateness(late(1_900)), 'less than a second is nothing').to.equal(0);
    expect(lateness(late(31_001))).to.equal(30_000);
    const again = received({ kind: 'opened' }, event(eventData(1)), { kind: 'opened' }, late(31_001));
    expect(again.received!.lateMs, 'of another connection').to.equal(0);
  });

  it('calls the book that it has no live one while it rests, and until the next one comes', () => {
    const rests = received({ kind: 'opened' }, event(eventData(1)), { kind: 'paused' });
    expect(feedWords(rests)).to.deep.include({ tone: 'calm' });
    expect(feedWords(rests).text).to.match(/pauses.*last one that came/);
    const opened = [{ kind: 'opening' }, { kind: 'opened' }] as const;
    const again = opened.reduce((state, message) => receive(state, message, TOKEN), rests);
    expect(feedWords(again).text).to.match(/opened again.*last one that came/);
    expect(feedWords(receive(again, event(eventData(2)), TOKEN)).tone).to.equal('live');
  });

  it('changes nothing when an event comes again, or one that is older', () => {
    const state = received(
      event(eventData(5)),
      event(eventData(5, withAsk('0.6'))),
      event(eventData(4, withAsk('0.7'))),
    );
    expect(bestAsk(state)).to.equal(4_800);
    expect(state.ignoredCount).to.equal(2);
  });

  it('lets another process count from one again, but not tell what was long ago', () => {
    const reconnected: FeedMessage[] = [event(eventData(900)), { kind: 'opened' }];
    expect(
      bestAsk(received(...reconnected, event(eventData(1, { ...withAsk('0.6'), server_time_ms: 1_784_000_001_500 })))),
    ).to.equal(6_000);
    const old = received(...reconnected, event(eventData(1, { ...withAsk('0.6'), server_time_ms: 1_783_999_000_000 })));
    expect(bestAsk(old)).to.equal(4_800);
  });

  for (const [what, data] of [
    ['half an event', eventData(2).slice(0, 90)],
    ['the page of a proxy', '<html>502</html>'],
    ['a book without levels', eventData(2, { book: { listed: true } })],
    ['a price that is none', eventData(2, withAsk('1.5'))],
    ['a size below zero', eventData(2, { book: { ...DEMO_EXAMPLE.book, asks: [['0.5', '-1']] } })],
    ['the book of another token', eventData(2, { token_id: '77' })],
    ['an event without a number', eventData(2, { sequence: null })],
    ['null', 'null'],
  ] as const) {
    it(`keeps the book it has when it is told ${what}`, () => {
      const state = received(event(eventData(1)), event(data));
      expect(bestAsk(state)).to.equal(4_800);
      expect(state.unreadableCount).to.equal(1);
      expect(received(event(eventData(1)), event(data), event(eventData(3))).unreadableCount).to.equal(0);
    });
  }

  it('takes over that the market has closed', () => {
    const closed = { ...DEMO_EXAMPLE.market.status, closed: true };
    const state = received(
      event(eventData(1)),
      event(eventData(2, { market_status: closed, book: undefined }), 'closed'),
    );
    expect(state.status).to.deep.equal(closed);
  });

  it('says when the venue gives no book at all', () => {
    const state = received(event(eventData(1, { age_ms: null, limit_ms: 60_000 }), 'stale'));
    expect(state.received).to.equal(null);
    expect(feedWords(state).text).to.match(/gives no book/);
  });

  it('passes over an event of a name that it does not know', () => {
    expect(
      received(event(eventData(1)), event(eventData(2, withAsk('0.6')), 'depth')).received!.book.sides.asks.bestTicks,
    ).to.equal(4_800);
  });

  it('never calls a book live once its stream is gone, and says that its age goes on', () => {
    const trouble = { kind: 'ended' } as const;
    const waiting = received(event(eventData(1)), { kind: 'failed', trouble, waitMs: 1_000 });
    expect(feedWords(waiting)).to.deep.equal({
      tone: 'warn',
      text: 'The stream of this book has ended. It will be retried automatically. The book below is the last one that came, and its age goes on counting.',
    });
    expect(feedWords(received(event(eventData(1)))).tone).to.equal('live');
  });

  for (const [status, words] of [
    [402, /asks to be paid/],
    [404, /not one of the free try-out/],
    [429, /come back after 7 s/],
    [500, /has failed \(500\)\. Nothing was charged/],
    [503, /cannot answer now \(503\); it asks to come back after 7 s/],
    [418, /has refused this \(418\)/],
    [302, /Something on the way/],
  ] as const) {
    it(`says in words what ${status} means`, () => {
      expect(statusText(status, 7)).to.match(words);
    });
  }
});
