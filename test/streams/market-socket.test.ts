import { expect } from 'chai';
import {
  framesOnly,
  marketSocket$,
  PING_INTERVAL_MS,
  PONG_TIMEOUT_MS,
  type SocketSignal,
} from '#streams/market-socket';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { inVirtualTime, testScheduler } from '#test/support/virtual-time';

describe('marketSocket$', () => {
  it('tells opening, frames and closing, and then ends', () => {
    const sockets = new FakeTextSockets();
    const signals: SocketSignal[] = [];
    let completed = false;
    marketSocket$(sockets.connect).subscribe({ next: (s) => signals.push(s), complete: () => (completed = true) });
    sockets.last.handlers.onOpen();
    sockets.last.handlers.onText(Buffer.from('{"a":1}'));
    sockets.last.handlers.onClose('code 1006');
    expect(signals.map((s) => s.kind)).to.deep.equal(['opened', 'frame', 'closed']);
    expect(completed).to.equal(true);
  });

  it('keeps PONG to itself: it is no frame', () => {
    const sockets = new FakeTextSockets();
    const kinds: string[] = [];
    const subscription = marketSocket$(sockets.connect).subscribe((s) => kinds.push(s.kind));
    sockets.last.handlers.onText(Buffer.from('PONG'));
    expect(kinds).to.deep.equal([]);
    subscription.unsubscribe();
  });

  it('sends PING at its pace while the other side answers', () =>
    inVirtualTime((_, test) => {
      const sockets = new FakeTextSockets();
      const subscription = marketSocket$(sockets.connect, test).subscribe();
      for (let n = 1; n <= 5; n++)
        test.schedule(() => sockets.last.handlers.onText(Buffer.from('PONG')), PING_INTERVAL_MS * n + 5);
      test.schedule(() => subscription.unsubscribe(), PING_INTERVAL_MS * 5 + 10);
      test.flush();
      expect(sockets.last.sent).to.deep.equal(['PING', 'PING', 'PING', 'PING', 'PING']);
      expect(sockets.last.isClosed).to.equal(true);
    }));

  it('keeps a connection whose PONG comes twelve seconds late, the first one too', () =>
    inVirtualTime((_, test) => {
      const sockets = new FakeTextSockets();
      const kinds: string[] = [];
      const subscription = marketSocket$(sockets.connect, test).subscribe(({ kind }) => kinds.push(kind));
      const lateMs = 12_000;
      for (let n = 1; n <= 6; n++)
        test.schedule(() => sockets.last.handlers.onText(Buffer.from('PONG')), PING_INTERVAL_MS * n + lateMs);
      test.schedule(() => subscription.unsubscribe(), PING_INTERVAL_MS * 6 + lateMs + 1);
      test.flush();
      expect(kinds).to.deep.equal([]);
    }));

  it('calls a connection dead that answers no PING', () =>
    inVirtualTime((_, test) => {
      const sockets = new FakeTextSockets();
      let closedAtMs = 0;
      marketSocket$(sockets.connect, test).subscribe((s) => {
        if (s.kind === 'closed') closedAtMs = test.now();
      });
      test.flush();
      expect(closedAtMs).to.be.within(PING_INTERVAL_MS + PONG_TIMEOUT_MS, 2 * PING_INTERVAL_MS + PONG_TIMEOUT_MS);
      expect(sockets.last.isClosed).to.equal(true);
    }));

  it('closes the connection when nobody listens any more', () => {
    const sockets = new FakeTextSockets();
    marketSocket$(sockets.connect).subscribe().unsubscribe();
    expect(sockets.last.isClosed).to.equal(true);
  });
});

describe('framesOnly', () => {
  const FRAME = { kind: 'frame', bytes: Buffer.from('frame'), atMs: 1 } as const;

  it('passes frames on, and what concerns the life of the connection elsewhere', () => {
    const test = testScheduler();
    const received: string[] = [];
    test.run(({ hot, expectObservable }) => {
      const signals: Record<string, SocketSignal> = {
        o: { kind: 'opened', socket: { subscribe: () => undefined, unsubscribe: () => undefined } },
        f: FRAME,
        c: { kind: 'closed', reason: 'gone' },
      };
      const frames$ = hot('of-f(c|)', signals).pipe(framesOnly(({ kind }) => received.push(`${test.now()} ${kind}`)));
      expectObservable(frames$).toBe('-f-f|', { f: FRAME });
    });
    expect(received).to.deep.equal(['0 opened', '4 closed']);
  });
});
