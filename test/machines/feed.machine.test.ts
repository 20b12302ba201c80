import { expect } from 'chai';
import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { backoffMs } from '#domain/backoff';
import {
  CONNECT_TIMEOUT_MS,
  FEED_BACKOFF,
  type FeedEvent,
  feedMachine,
  REST_MS,
  STALL_GRACE_MS,
  STEADY_MS,
  SYNC_TIMEOUT_MS,
} from '#machines/feed.machine';

/** The machine on simulated time, with the connection in the test's hand. */
function feed() {
  const clock = new SimulatedClock();
  let connections = 0;
  let open = 0;
  const connection = fromCallback<FeedEvent>(() => {
    connections++;
    open++;
    return () => open--;
  });
  const machine = feedMachine.provide({ actors: { connection }, delays: { backoff: 1_000 } });
  const actor = createActor(machine, { clock }).start();
  const state = () => {
    const value = actor.getSnapshot().value;
    return typeof value === 'string' ? value : value.CONNECTED;
  };
  return {
    state,
    send: (...types: FeedEvent['type'][]) => {
      for (const type of types) actor.send({ type, reason: 'test' } as FeedEvent);
    },
    pass: (ms: number) => clock.increment(ms),
    connections: () => ({ made: connections, open }),
    attempt: () => actor.getSnapshot().context.attempt,
    failure: () => actor.getSnapshot().context.lastFailure,
  };
}

describe('feed machine', () => {
  it('connects, waits for its first book, and is live', () => {
    const f = feed();
    expect(f.state()).to.equal('CONNECTING');
    f.send('socket.opened');
    expect(f.state()).to.equal('SYNCING');
    f.send('data.received');
    expect(f.state()).to.equal('LIVE');
  });

  it('gives up a connection that does not open in time', () => {
    const f = feed();
    f.pass(CONNECT_TIMEOUT_MS);
    expect(f.state()).to.equal('BACKING_OFF');
    expect(f.connections()).to.deep.equal({ made: 1, open: 0 });
  });

  it('gives up a connection that opens and brings no book', () => {
    const f = feed();
    f.send('socket.opened');
    f.pass(SYNC_TIMEOUT_MS);
    expect(f.state()).to.equal('BACKING_OFF');
    expect(f.failure()).to.equal('timed out');
  });

  for (const lead of [[], ['socket.opened'], ['socket.opened', 'data.received']] as FeedEvent['type'][][]) {
    it(`backs off when the socket closes after [${lead}], and connects again`, () => {
      const f = feed();
      f.send(...lead, 'socket.closed');
      expect(f.state()).to.equal('BACKING_OFF');
      expect(f.failure()).to.equal('test');
      f.pass(1_000);
      expect(f.state()).to.equal('CONNECTING');
      expect(f.connections()).to.deep.equal({ made: 2, open: 1 });
    });
  }

  it('gives a frozen connection a moment, then replaces it', () => {
    const f = feed();
    f.send('socket.opened', 'data.received', 'freeze.suspected');
    expect(f.state()).to.equal('STALLED');
    f.pass(STALL_GRACE_MS);
    expect(f.state()).to.equal('BACKING_OFF');
    expect(f.connections().open).to.equal(0);
  });

  it('is live again when data comes after all', () => {
    const f = feed();
    f.send('socket.opened', 'data.received', 'freeze.suspected', 'data.received');
    expect(f.state()).to.equal('LIVE');
    f.pass(STALL_GRACE_MS * 2);
    expect(f.state()).to.equal('LIVE');
  });

  it('counts failures in a row and forgets them when it has been live for a while', () => {
    const f = feed();
    for (let n = 1; n <= 3; n++) {
      f.send('socket.closed');
      expect(f.attempt()).to.equal(n);
      f.pass(1_000);
    }
    f.send('socket.opened', 'data.received');
    f.pass(STEADY_MS - 1);
    expect(f.attempt()).to.equal(3);
    f.pass(1);
    expect(f.attempt()).to.equal(0);
  });

  it('waits longer each time that a connection brings its books and is closed at once', () => {
    const f = feed();
    for (let n = 1; n <= 3; n++) {
      f.send('socket.opened', 'data.received', 'socket.closed');
      expect(f.attempt()).to.equal(n);
      f.pass(1_000);
    }
  });

  for (const lead of [['socket.opened'], ['socket.opened', 'data.received']] as FeedEvent['type'][][]) {
    it(`rests when all tokens are over after [${lead}], and asks again after a while`, () => {
      const f = feed();
      f.send(...lead, 'tokens.resolved');
      expect(f.state()).to.equal('RESTING');
      expect(f.connections()).to.deep.equal({ made: 1, open: 0 });
      f.pass(REST_MS - 1);
      expect(f.connections().made).to.equal(1);
      f.pass(1);
      expect(f.state()).to.equal('CONNECTING');
      expect(f.attempt()).to.equal(0);
    });
  }

  it('rests no more when a book is added', () => {
    const f = feed();
    f.send('socket.opened', 'tokens.resolved', 'book.added');
    expect(f.state()).to.equal('CONNECTING');
  });

  for (const lead of [
    [],
    ['socket.opened'],
    ['socket.opened', 'data.received'],
    ['socket.closed'],
    ['socket.opened', 'tokens.resolved'],
  ] as FeedEvent['type'][][]) {
    it(`stops for good after [${lead}] and leaves no connection`, () => {
      const f = feed();
      f.send(...lead, 'feed.stopped');
      f.pass(60_000);
      expect(f.state()).to.equal('STOPPED');
      expect(f.connections().open).to.equal(0);
    });
  }

  it('waits longer after each failure, within bounds, and by chance', () => {
    expect(backoffMs(FEED_BACKOFF, 0, 0)).to.equal(FEED_BACKOFF.minMs / 2);
    expect(backoffMs(FEED_BACKOFF, 0, 1)).to.equal(FEED_BACKOFF.minMs);
    expect(backoffMs(FEED_BACKOFF, 3, 1)).to.equal(FEED_BACKOFF.minMs * 8);
    for (const attempt of [10, 1_000, 1e9]) expect(backoffMs(FEED_BACKOFF, attempt, 1)).to.equal(FEED_BACKOFF.maxMs);
  });
});
