import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { IN_WORK_MAX } from '#http/limits/limits';
import { type Door, openDoor } from '../support/door.js';

describe('callers who would crowd others out', () => {
  let door: Door;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    door = await openDoor();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await door.stop();
  });

  function open(localAddress: string): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect({ port: door.port, host: '127.0.0.1', localAddress }, () => resolve(socket));
      socket.on('error', () => undefined).pause();
      sockets.push(socket);
    });
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** What somebody else is answered, who sends one small request from an address of their own. */
  const other = async () => {
    const answer = await fetch(`${door.url}/api/credits`, { headers: { connection: 'close' } });
    const { code = 'none' } = (await answer.json()) as { code?: string };
    return `${answer.status} ${code}`;
  };

  it('cannot, from one address, by requests behind an answer that they do not read', async function () {
    this.timeout(60_000);
    // Each holds its place until its response is closed, which waits for the one before it.
    const burst =
      'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40) + 'HEAD /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60);
    for (let n = 0; n < 60; n++) {
      (await open('127.0.0.77')).write(burst);
      await pause(20);
    }
    expect(await other()).to.equal('200 none');
  });

  it('cannot, from twelve addresses, by requests behind event streams', async function () {
    this.timeout(60_000);
    await door.stop();
    // Streams of five minutes, which their clients read.
    const demo = { marketsText: async () => '{}', find: async () => () => () => undefined };
    door = await openDoor({ deps: { demo } });
    const burst = `GET /demo/books/1/events HTTP/1.1\r\nHost: x\r\n\r\n${'HEAD /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(90)}`;
    for (let n = 0; n < 48; n++) {
      (await open(`127.0.2.${10 + Math.floor(n / 4)}`)).resume().write(burst);
      await pause(30);
    }
    expect(await other()).to.equal('200 none');
  });

  it('cannot, from twenty addresses, by bodies that they do not finish', async function () {
    this.timeout(60_000);
    const head =
      'POST /api/preflight_trade HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{';
    for (let n = 0; n < IN_WORK_MAX; n++) {
      (await open(`127.0.1.${10 + Math.floor(n / 200)}`)).write(head);
      if (n % 200 === 199) await pause(100);
    }
    await pause(500);
    expect(await other()).to.equal('200 none');
  });
});
