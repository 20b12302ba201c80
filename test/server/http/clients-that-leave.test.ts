import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Store } from '#ports/store';
import { type Door, OWNER, openDoor } from './support/door.js';

/** Long enough for the server to hear that its client has left. */
const DECIDED_AFTER_MS = 100;

/** A store whose changes of accounts begin late. */
const late = (store: Store): Store => ({
  ...store,
  transact: async (...of) => {
    await sleep(DECIDED_AFTER_MS);
    return store.transact(...of);
  },
});

/** A store whose changes of accounts are decided at once and reported late. */
const slow = (store: Store): Store => ({
  ...store,
  transact: async (...of) => {
    const result = await store.transact(...of);
    await sleep(DECIDED_AFTER_MS);
    return result;
  },
});

describe('a client that leaves while its debit is written', () => {
  let door: Door;
  before(async () => {
    door = await openDoor({ around: slow });
  });
  after(() => door.stop());

  for (const [how, leave] of [
    ['closes its connection', (socket: ReturnType<typeof connect>) => void socket.destroy()],
    ['closes its side of it', (socket: ReturnType<typeof connect>) => void socket.end()],
  ] as const) {
    it(`and ${how} has the debit given back with the wallet's next call`, async () => {
      const before = (await door.credits.balanceOf(OWNER)).balance;
      const socket = connect(door.port, '127.0.0.1').resume();
      const auth = `Authorization: Bearer ${door.token}`;
      socket.write(`GET /api/preflight_trade?slug=a-market&usd=100 HTTP/1.1\r\nHost: x\r\n${auth}\r\n\r\n`);
      while ((await door.credits.balanceOf(OWNER)).balance === before) await sleep(1);
      leave(socket);
      if (!socket.closed) await once(socket, 'close');
      await sleep(2 * DECIDED_AFTER_MS);
      expect((await door.order('slug=a')).status).to.equal(200);
      expect((await door.credits.balanceOf(OWNER)).balance).to.equal(before - 1);
    });
  }
});

describe('a client that leaves while its debit waits for its turn', () => {
  let door: Door;
  before(async () => {
    door = await openDoor({ around: late });
  });
  after(() => door.stop());

  const balance = async () => (await door.credits.balanceOf(OWNER)).balance;

  for (const [how, leave] of [
    ['closes its connection', (socket: ReturnType<typeof connect>) => void socket.destroy()],
    ['resets it', (socket: ReturnType<typeof connect>) => void socket.resetAndDestroy()],
    ['closes its side of it', (socket: ReturnType<typeof connect>) => void socket.end()],
  ] as const) {
    it(`and ${how} is not charged`, async () => {
      const [before, requested] = [await balance(), door.orders.length];
      const socket = connect(door.port, '127.0.0.1').resume();
      const auth = `Authorization: Bearer ${door.token}`;
      socket.write(`GET /api/preflight_trade?slug=a-market&usd=100 HTTP/1.1\r\nHost: x\r\n${auth}\r\n\r\n`);
      while (door.orders.length === requested) await sleep(1);
      leave(socket);
      if (!socket.closed) await once(socket, 'close');
      await sleep(2 * DECIDED_AFTER_MS);
      expect(await balance()).to.equal(before);
    });
  }
});
