import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import type { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { boundedStore, CHANGE_MS_MAX } from '#services/bounded-store';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('a store with a limit on changes', () => {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const storeWith = (transact: () => Promise<unknown>) =>
    boundedStore({ transact } as unknown as Store, { timers, stopwatch: clock });
  const change = (store: Store) => store.transact({}, () => ({ writes: {}, result: 'done' }));

  it('passes on what the store says in time', async () => {
    expect(await change(storeWith(async () => 'done'))).to.equal('done');
  });

  it('gives a change up that does not come to disk, as one that may yet be made', async () => {
    const given = change(storeWith(() => new Promise(() => undefined))).catch((error: OutsideError) => error);
    await soon();
    timers.advance(CHANGE_MS_MAX);
    expect(await given).to.include({ upstream: 'store', failure: 'unknown' });
  });

  it('decides nothing for a caller who has been told that it is late', async () => {
    let decisions = 0;
    let decideLate = () => {};
    const transact = (_: unknown, decide: (rows: unknown) => unknown) => {
      decideLate = () => decide({});
      return new Promise(() => undefined);
    };
    const store = boundedStore({ transact } as unknown as Store, { timers, stopwatch: clock });
    const given = store.transact({}, () => {
      decisions++;
      return { writes: {}, result: 'done' };
    });
    const received = given.catch((error: OutsideError) => error);
    await soon();
    timers.advance(CHANGE_MS_MAX);
    await received;
    expect(decideLate).to.throw('a change did not get its turn in time');
    expect(decisions).to.equal(0);
  });
});
