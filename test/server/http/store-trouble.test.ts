import { expect } from 'chai';
import { systemStopwatch } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { boundedStore } from '#services/bounded-store';
import { deferred } from '#test/support/promises';
import { OWNER, openDoor, WALLET } from './support/door.js';

/** Shorter than in service, and long enough for a disk that does answer. */
const CHANGE_MS_MAX = 1_000;

/** A disk that can be held: what is written can be read, and is not reported as done. */
function heldDisk() {
  let held = deferred();
  held.resolve();
  const over = (store: Store): Store => ({
    ...store,
    transact: async (keys, decide) => {
      const result = await store.transact(keys, decide);
      await held.promise;
      return result;
    },
  });
  const hold = () => {
    held = deferred();
  };
  return { over, hold, letGo: () => held.resolve() };
}

describe('a door whose store fails', () => {
  it('counts no code as unknown that it could not look up', async () => {
    let isBroken = false;
    const refuse = () => Promise.reject(new OutsideError('store', 'it is away', { failure: 'retryable' }));
    const door = await openDoor({
      around: (store) => ({
        ...store,
        transact: (keys, decide) => (isBroken ? refuse() : store.transact(keys, decide)),
      }),
    });
    const redeem = () =>
      fetch(`${door.url}/api/redeem`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code: 'WELCOME', wallet: WALLET }),
      });
    isBroken = true;
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await redeem()).status);
    expect(new Set(statuses)).to.deep.equal(new Set([500]));
    isBroken = false;
    expect((await redeem()).status).to.equal(404);
    await door.stop();
  });
});

describe('a door whose disk does not answer in time', () => {
  it('says when and how to repeat, and not that it is free: with a key the answer is had again, without one the debit is given back', async () => {
    const disk = heldDisk();
    const time = { timers: systemTimers, stopwatch: systemStopwatch };
    const door = await openDoor({
      credits: 10,
      around: (store) => boundedStore(disk.over(store), time, CHANGE_MS_MAX),
    });
    const key = { 'Idempotency-Key': 'an-order-of-mine' };
    disk.hold();
    for (const answer of await Promise.all([door.order('slug=a', key), door.order('slug=a')])) {
      const { error, ...said } = (await answer.json()) as { readonly error: string };
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([500, '5']);
      expect(said).to.include({ code: 'store_unavailable', retry: 'same_payment' });
      expect(error).to.match(/with the same payment or Idempotency-Key.*without a key are given back/);
    }
    disk.letGo();
    await door.credits.settleDebits();
    const again = await door.order('slug=a', key);
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(9);
    await door.stop();
  });
});
