import { expect } from 'chai';
import { marketSocket$, PING_EVERY_MS, PONG_TIMEOUT_MS, type SocketSignal } from '#streams/market-socket';
import { testScheduler } from '#test/support/virtual-time';
import type { ConnectTextSocket, TextSocketHandlers } from '#wire/polymarket/text-socket';

/** A connection whose other end is the test. */
function fakeSocket() {
  const sent: string[] = [];
  let handlers: TextSocketHandlers | undefined;
  let closed = false;
  const connect: ConnectTextSocket = (given) => {
    handlers = given;
    return { send: (text) => sent.push(text), close: () => (closed = true) };
  };
  return { connect, sent, other: () => handlers!, isClosed: () => closed };
}

describe('marketSocket$', () => {
  it('tells opening, frames and closing, and then ends', () => {
    const socket = fakeSocket();
    const signals: SocketSignal[] = [];
    let completed = false;
    marketSocket$(socket.connect).subscribe({ next: (s) => signals.push(s), complete: () => (completed = true) });
    socket.other().onOpen();
    socket.other().onText('{"a":1}');
    socket.other().onClose('code 1006');
    expect(signals.map((s) => s.kind)).to.deep.equal(['opened', 'frame', 'closed']);
    expect(completed).to.equal(true);
  });

  it('keeps PONG to itself: it is no frame', () => {
    const socket = fakeSocket();
    const kinds: string[] = [];
    const subscription = marketSocket$(socket.connect).subscribe((s) => kinds.push(s.kind));
    socket.other().onText('PONG');
    expect(kinds).to.deep.equal([]);
    subscription.unsubscribe();
  });

  it('sends PING at its pace while the other side answers', () => {
    const test = testScheduler();
    test.run(() => {
      const socket = fakeSocket();
      const subscription = marketSocket$(socket.connect, test).subscribe();
      for (let n = 1; n <= 5; n++) test.schedule(() => socket.other().onText('PONG'), PING_EVERY_MS * n + 5);
      test.schedule(() => subscription.unsubscribe(), PING_EVERY_MS * 5 + 10);
      test.flush();
      expect(socket.sent).to.deep.equal(['PING', 'PING', 'PING', 'PING', 'PING']);
      expect(socket.isClosed()).to.equal(true);
    });
  });

  it('calls a connection dead that answers no PING', () => {
    const test = testScheduler();
    test.run(() => {
      const socket = fakeSocket();
      let closedAtMs = 0;
      marketSocket$(socket.connect, test).subscribe((s) => {
        if (s.kind === 'closed') closedAtMs = test.now();
      });
      test.flush();
      expect(closedAtMs).to.be.within(PING_EVERY_MS + PONG_TIMEOUT_MS, 2 * PING_EVERY_MS + PONG_TIMEOUT_MS);
      expect(socket.isClosed()).to.equal(true);
    });
  });

  it('closes the connection when nobody listens any more', () => {
    const socket = fakeSocket();
    marketSocket$(socket.connect).subscribe().unsubscribe();
    expect(socket.isClosed()).to.equal(true);
  });
});
