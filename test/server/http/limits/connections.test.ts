import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type ConnectionLimits, limitConnections } from '#http/limits/connections';
import { CROWDED_KEEP_ALIVE_MS, KEEP_ALIVE_MS, SENT_AHEAD_MAX } from '#http/limits/limits';
import { listen } from '#test/support/listen';

const REQUEST = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

interface Served {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** A server with these limits, whose answers to /held wait, and its clients. */
async function open(limits: ConnectionLimits, trusted: readonly string[] = []) {
  const held: (() => void)[] = [];
  const clients: Socket[] = [];
  const server: Server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const served = { req, res };
    const connection = connections.begin(req.socket, served);
    res.once('close', () => connections.end(connection, served));
  });
  const started: string[] = [];
  const ended: IncomingMessage[] = [];
  const start = ({ req, res }: Served) => {
    started.push(req.url!);
    if (req.url === '/held') held.push(() => res.end('{}'));
    else res.end('{}');
  };
  const isTrusted = (address: string) => trusted.includes(address);
  const events = { start, next: start, ended: ({ req }: Served) => void ended.push(req) };
  const connections = limitConnections<Served>(server, isTrusted, events, limits);
  const port = await listen(server);
  return {
    server,
    held,
    /** Paths of requests in the order in which they were started. */
    started,
    /** Requests in the order in which they ended. */
    ended,
    /** Opens a connection from an address, and waits until the server has it. */
    async client(localAddress = '127.0.0.1'): Promise<Socket> {
      const accepted = once(server, 'connection');
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      clients.push(socket);
      socket.on('error', () => undefined).resume();
      await accepted;
      return socket;
    },
    /** Sends a request that is held, and waits until it is at work. */
    async hold(socket: Socket): Promise<void> {
      const begun = once(server, 'request');
      socket.write(REQUEST);
      await begun;
    },
    async stop() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'));
const isOpen = (socket: Socket) => !socket.closed;

/** Whether a connection gets an answer. */
async function isServed(socket: Socket): Promise<boolean> {
  const seen = Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
  socket.write('GET /free HTTP/1.1\r\nHost: x\r\n\r\n');
  return seen;
}

describe('connections over their limit', () => {
  it('close the one that is idle for longest, and not the newcomer', async () => {
    const door = await open({ max: 3, perAddressMax: 100 });
    const [first, second, third] = [await door.client(), await door.client(), await door.client()];
    // The first has just been served, so the second is idle for longest.
    expect(await isServed(first)).to.equal(true);
    const newcomer = await door.client('127.0.0.2');
    await closed(second);
    expect([first, third, newcomer].map(isOpen)).to.deep.equal([true, true, true]);
    expect(await isServed(newcomer)).to.equal(true);
    await door.stop();
  });

  it('of one address close one of its own, and leave other addresses alone', async () => {
    const door = await open({ max: 1_000, perAddressMax: 20 });
    const other = await door.client('127.0.0.2');
    const crowd: Socket[] = [];
    for (let i = 0; i < 60; i++) crowd.push(await door.client());
    await Promise.all(crowd.slice(0, 40).map(closed));
    expect(crowd.filter(isOpen)).to.deep.equal(crowd.slice(40));
    expect(await isServed(other)).to.equal(true);
    expect(await isServed(crowd.at(-1)!)).to.equal(true);
    await door.stop();
  });

  it('never close one that waits for its answer: when all do, the newcomer is closed', async () => {
    const door = await open({ max: 1_000, perAddressMax: 2 });
    const [first, second] = [await door.client(), await door.client()];
    await door.hold(first);
    await door.hold(second);
    await closed(await door.client());
    expect([first, second].map(isOpen)).to.deep.equal([true, true]);
    const answered = once(second, 'data');
    for (const end of door.held) end();
    await answered;
    expect(await isServed(await door.client())).to.equal(true);
    await door.stop();
  });

  it('do not count for a trusted proxy, which carries many callers', async () => {
    const door = await open({ max: 1_000, perAddressMax: 2 }, ['127.0.0.1']);
    const clients: Socket[] = [];
    for (let i = 0; i < 10; i++) clients.push(await door.client());
    expect(await isServed(clients[0]!)).to.equal(true);
    expect(clients.every(isOpen)).to.equal(true);
    await door.stop();
  });

  it('keep idle ones for less time while there are many, and longer again afterwards', async () => {
    const door = await open({ max: 10, perAddressMax: 100 });
    const clients: Socket[] = [];
    for (let i = 0; i < 8; i++) clients.push(await door.client());
    expect(door.server.keepAliveTimeout).to.equal(KEEP_ALIVE_MS);
    clients.push(await door.client());
    expect(door.server.keepAliveTimeout).to.equal(CROWDED_KEEP_ALIVE_MS);
    for (const client of clients.slice(0, 5)) client.destroy();
    while (door.server.keepAliveTimeout !== KEEP_ALIVE_MS) await new Promise((resolve) => setTimeout(resolve, 5));
    await door.stop();
  });

  it('end each request once: with its answer, or with its connection where its turn to be answered never came', async () => {
    const door = await open({ max: 10, perAddressMax: 10 });
    const client = await door.client();
    expect(await isServed(client)).to.equal(true);
    expect(door.ended).to.have.length(1);
    const begun: IncomingMessage[] = [];
    door.server.on('request', (req) => begun.push(req));
    client.write(REQUEST.repeat(3));
    while (begun.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    client.resetAndDestroy();
    while (door.ended.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(door.ended.slice(1)).to.have.members(begun);
    expect(door.started, 'those behind the first').to.deep.equal(['/free', '/held']);
    for (const end of door.held) end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(door.ended).to.have.length(4);
    await door.stop();
  });

  it('start what was sent ahead in its order, each when the one before it has its answer', async () => {
    const door = await open({ max: 10, perAddressMax: 10 });
    const client = await door.client();
    client.write(`${REQUEST}GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => door.held.length === 1);
    expect(door.started).to.deep.equal(['/held']);
    door.held[0]!();
    await until(() => door.ended.length === 3);
    expect(door.started).to.deep.equal(['/held', '/1', '/2']);
    await door.stop();
  });

  it('close one that sends too much ahead, and start nothing more of it', async () => {
    const door = await open({ max: 10, perAddressMax: 10 });
    const [usual, client] = [await door.client(), await door.client('127.0.0.2')];
    usual.write(REQUEST.repeat(SENT_AHEAD_MAX + 1));
    await until(() => door.held.length === 1);
    client.write(REQUEST.repeat(SENT_AHEAD_MAX + 2));
    await closed(client);
    expect([isOpen(usual), door.started]).to.deep.equal([true, ['/held', '/held']]);
    await door.stop();
  });
});
