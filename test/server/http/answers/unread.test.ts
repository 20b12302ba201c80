import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { closeUnread } from '#http/answers/answer';
import { UNREAD_WAIT_MS } from '#http/limits/limits';
import { listen } from '#test/support/listen';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

/** A server that answers with so many bytes, and the timers of its answers. */
async function serve(bytes: number) {
  const timers = new ManualTimers(new ManualClock(0));
  const server = createServer((_, res) => {
    res.end('x'.repeat(bytes));
    closeUnread(res, timers);
  });
  const socket = connect(await listen(server), '127.0.0.1').on('error', () => undefined);
  const begun = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await begun;
  const stop = async () => {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { timers, socket, stop };
}

describe('an answer that nobody reads', () => {
  it('has its connection closed after half a minute', async () => {
    const { timers, socket, stop } = await serve(50_000_000);
    timers.advance(UNREAD_WAIT_MS - 1);
    expect(timers.waiting).to.equal(1);
    timers.advance(1);
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).to.be.below(50_000_000);
    await stop();
  });

  it('is none when it is read in time, and a small one waits for nothing', async () => {
    const slow = await serve(50_000_000);
    expect(slow.timers.waiting).to.equal(1);
    slow.socket.resume();
    while (slow.timers.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await slow.stop();
    const small = await serve(2_000);
    expect(small.timers.waiting).to.equal(0);
    await small.stop();
  });
});
