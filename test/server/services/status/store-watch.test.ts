import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import { watchStore } from '#services/status/store-watch';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('the watch of the store', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let pings: number;
  let answer: () => Promise<void>;

  beforeEach(() => {
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    pings = 0;
    answer = async () => undefined;
  });

  const watch = () =>
    watchStore({
      store: {
        ping: () => {
          pings++;
          return answer();
        },
      },
      clock,
      timers,
    });

  it('says that the store can be used, and does not ask again for a second', async () => {
    const health = watch();
    expect(await health()).to.deep.equal({ name: 'store', ok: true, lastOkAtMs: clock.nowMs(), lastError: null });
    await health();
    expect(pings).to.equal(1);
    clock.advance(1_000);
    await health();
    expect(pings).to.equal(2);
  });

  it('says why it cannot be used, and that it can be again', async () => {
    const health = watch();
    answer = () => Promise.reject(new OutsideError('store', 'the disk is full', { failure: 'unknown' }));
    expect(await health()).to.include({ ok: false, lastError: 'store: the disk is full' });
    answer = async () => undefined;
    clock.advance(1_000);
    expect(await health()).to.include({ ok: true, lastError: null });
  });

  it('does not wait for a disk that hangs, nor asks it twice at once', async () => {
    const health = watch();
    answer = () => new Promise(() => undefined);
    const first = health();
    await soon();
    timers.advance(2_000);
    expect(await first).to.include({ ok: false, lastError: 'the store has not read and written within 2000 ms' });
    clock.advance(1_000);
    const second = health();
    await soon();
    timers.advance(2_000);
    expect((await second).ok).to.equal(false);
    expect(pings).to.equal(1);
  });
});
