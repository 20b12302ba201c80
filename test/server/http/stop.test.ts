import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { DRAIN_MS, LEAVE_MS, LINGER_MS, SILENT_WAIT_MS, STOP_WAIT_MS } from '#http/limits/limits';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { deferred } from '#test/support/promises';
import { CONSTANT_ANSWER, type Door, openDoor } from './support/door.js';
import { parseAnswers } from './support/raw-exchange.js';

describe('stop', () => {
  it('finishes requests in flight, says Connection: close, and takes no new connections', async () => {
    const held = deferred();
    const door = await openDoor({ handler: () => held.promise.then(() => CONSTANT_ANSWER) });
    const running = door.order('slug=a');
    while (door.orders.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const stopped = door.stop();
    const refused = await fetch(`${door.url}/healthz`).then(
      () => false,
      () => true,
    );
    held.resolve();
    const response = await running;
    await stopped;
    expect(response.status).to.equal(200);
    expect(response.headers.get('connection')).to.equal('close');
    expect(refused).to.equal(true);
  });

  it('begins with a while in which clients that are connected are answered and sent away', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers } });
    const ask = (socket: Socket) => void socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let askAgain = () => {};
    let sayMore = () => {};
    const connected = talk(door, (socket) => {
      ask(socket);
      askAgain = () => ask(socket);
    });
    const kept = talk(door, (socket) => {
      sayMore = () => ask(socket);
    });
    await arrival(door, 2);
    let isDrained = false;
    const drained = door.http.drain().then(() => {
      isDrained = true;
    });
    const unwell = await fetch(`${door.url}/healthz`);
    expect([unwell.status, unwell.headers.get('connection')]).to.deep.equal([500, 'keep-alive']);
    timers.advance(LEAVE_MS);
    await new Promise(setImmediate);
    expect(await talk(door, ask), 'nothing listens any more').to.equal('');
    askAgain();
    sayMore();
    const answers = parseAnswers(await connected);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 500]);
    expect(answers[1]!.headers).to.include({ connection: 'close' });
    expect(parseAnswers(await kept)).to.have.length(1);
    timers.advance(DRAIN_MS - 1);
    await new Promise(setImmediate);
    expect(isDrained).to.equal(false);
    timers.advance(1);
    await drained;
    await door.stop();
  });

  it('says for a while that it goes also where all connections are for one request each', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers } });
    const look = () => fetch(`${door.url}/healthz`, { headers: { connection: 'close' } });
    expect((await look()).status).to.equal(200);
    const drained = door.http.drain();
    await new Promise(setImmediate);
    expect((await look()).status).to.equal(500);
    timers.advance(LEAVE_MS);
    await new Promise(setImmediate);
    // As long as the last of them is not quite closed.
    timers.advance(DRAIN_MS);
    await drained;
    await door.stop();
  });

  it('begins at once where nobody ever connected', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers } });
    await door.http.drain();
    expect(timers.waiting).to.equal(0);
    await door.stop();
  });

  it('answers a request that was half sent, and says that the service is not ready', async () => {
    const door = await openDoor();
    let finish = () => {};
    const received = talk(door, (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\n');
      finish = () => void socket.write('Host: x\r\n\r\n');
    });
    await arrival(door, 1);
    const stopped = door.stop();
    finish();
    await stopped;
    const [answer] = parseAnswers(await received);
    expect(answer).to.include({ status: 500 });
    expect(answer!.headers).to.include({ connection: 'close' });
  });

  it('does not wait for connections that are idle or silent, and may be called twice', async function () {
    this.timeout(STOP_WAIT_MS / 2);
    const door = await openDoor();
    const silent = talk(door, () => {});
    const idle = talk(door, (socket) => void socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
    await arrival(door, 2);
    await Promise.all([door.http.stop(), door.http.stop()]);
    expect(await silent).to.equal('');
    expect(parseAnswers(await idle)).to.have.length(1);
    await door.stop();
  });

  it('answers what had come in time from a silent connection, though it comes to read it late', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers } });
    let send = () => {};
    const received = talk(door, (socket) => {
      send = () => void socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    await arrival(door, 1);
    const stopped = door.http.stop();
    send();
    timers.advance(SILENT_WAIT_MS);
    expect(parseAnswers(await received)).to.have.length(1);
    await stopped;
    await door.stop();
  });

  it('cuts a request that takes longer than the limit', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers }, handler: () => new Promise(() => {}) });
    const running = door.order('slug=a').then(
      () => 'answered',
      () => 'cut',
    );
    while (door.orders.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const stopped = door.http.stop();
    timers.advance(STOP_WAIT_MS - 1);
    expect(timers.waiting).to.equal(1);
    timers.advance(1);
    expect(await running).to.equal('cut');
    await stopped;
    await door.stop();
  });
});

describe('a connection that was refused', () => {
  it('is read for a while, so that its client gets the answer, and then cut', async () => {
    const timers = new ManualTimers(new ManualClock());
    const door = await openDoor({ deps: { timers } });
    const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
    const ended = new Promise((resolve) => socket.once('end', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.on('error', () => undefined).write('no HTTP\r\n\r\n');
    await ended;
    expect(parseAnswers(received)[0]).to.include({ status: 400 });
    expect(timers.nextDueAtMs).to.equal(new ManualClock().nowMs() + LINGER_MS);
    const count = () => new Promise<number>((resolve) => door.http.server.getConnections((_error, n) => resolve(n)));
    expect(await count()).to.equal(1);
    timers.advance(LINGER_MS);
    while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    socket.destroy();
    await closed;
    await door.stop();
  });
});

/** Waits until so many connections are open and what they have sent has been read. */
async function arrival(door: Door, connections: number): Promise<void> {
  const count = () => new Promise<number>((resolve) => door.http.server.getConnections((_error, n) => resolve(n)));
  while ((await count()) < connections) await new Promise((resolve) => setTimeout(resolve, 2));
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Opens a connection, lets `say` talk, and resolves with all that was received until the server
 * closed it.
 */
function talk({ port }: Door, say: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => say(socket));
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
}
