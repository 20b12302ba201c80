import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { OutsideError, Problem } from '#domain/errors';
import type { Writes } from '#ports/store';
import { ChangeOutcomes } from '#services/status/change-outcomes';
import { watchStore } from '#services/status/store-watch';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const FULL = new OutsideError('store', 'the disk is full', { failure: 'unknown' });
const HANGING = () => new Promise<void>(() => undefined);
const chance = { next: () => 0.5, bytes: (count: number) => new Uint8Array(count).fill(0xab) };

describe('the watch of the store', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let changes: ChangeOutcomes;
  let looks: number;
  let written: Writes[];
  let answer: () => Promise<void>;

  beforeEach(() => {
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    changes = new ChangeOutcomes(clock);
    looks = 0;
    written = [];
    answer = async () => undefined;
  });

  const watch = () =>
    watchStore({
      store: {
        ping: async () => undefined,
        async transact(_, decide) {
          looks++;
          await answer();
          const { writes, result } = decide({} as never);
          written.push(writes);
          return result;
        },
      },
      ...{ changes, clock, timers, random: chance },
    });
  const times = (count: number, what: () => void) => Array.from({ length: count }, what);

  it('looks where nothing is known, by a write of the kind and size of a debit, and not again for a second', async () => {
    const { health } = watch();
    const well = { name: 'store', ok: true, lastOkAtMs: clock.nowMs(), lastError: null, ageMs: 0 };
    expect(await health()).to.deep.equal(well);
    expect(written[0]!.answer!.body.length).to.be.above(16_384);
    clock.advance(999);
    expect(await health()).to.deep.equal({ ...well, ageMs: 999 });
    expect(looks).to.equal(1);
    clock.advance(1);
    expect(await health()).to.include({ ok: true, ageMs: 0 });
    expect(looks).to.equal(2);
  });

  it('does not look while changes of callers come to disk', async () => {
    const { health } = watch();
    changes.done();
    clock.advance(900);
    expect(await health()).to.include({ ok: true, ageMs: 900, lastOkAtMs: clock.nowMs() - 900 });
    expect(looks).to.equal(0);
  });

  it('says why a look failed, and that the next one did not', async () => {
    const { health } = watch();
    answer = () => Promise.reject(FULL);
    expect(await health()).to.include({ ok: false, lastError: 'store: the disk is full' });
    answer = async () => undefined;
    clock.advance(1_000);
    expect(await health()).to.include({ ok: true, lastError: null });
  });

  const SHARES = [
    { failed: 226, done: 6, ok: false },
    { failed: 1, done: 9, ok: false },
    { failed: 1, done: 10, ok: true },
    { failed: 1, done: 0, ok: false },
  ];
  for (const { failed, done, ok } of SHARES) {
    it(`is ${ok ? 'well' : 'not well'} where ${failed} of ${failed + done} changes failed, though a look would not`, async () => {
      const { health } = watch();
      times(failed, () => changes.failed(FULL));
      times(done, () => changes.done());
      expect(await health()).to.include({ ok, lastError: ok ? null : 'store: the disk is full' });
    });
  }

  it('forgets failures after five seconds, and then looks', async () => {
    const { health } = watch();
    changes.failed(FULL);
    for (let second = 0; second < 4; second++) {
      clock.advance(1_000);
      expect(await health(), `second ${second}`).to.include({ ok: false });
    }
    clock.advance(1_000);
    expect(await health()).to.include({ ok: true });
  });

  it('holds nothing against the store that is not its fault', async () => {
    const { health } = watch();
    changes.failed(new Problem('invalid_parameter', 'no'));
    changes.failed(new OutsideError('gamma', 'away', { failure: 'retryable' }));
    expect(await health()).to.include({ ok: true });
  });

  it('answers by what it knew, and its age, while a look is under way; from two seconds on that it hangs', async () => {
    const { health } = watch();
    await health();
    answer = HANGING;
    clock.advance(1_000);
    const asked = health();
    await soon();
    timers.advance(50);
    expect(await asked).to.include({ ok: true, ageMs: 1_050 });
    clock.advance(1_950);
    expect(await health(), 'and nobody waits again').to.include({
      ok: false,
      lastError: 'the store has not read and written within 2000 ms',
    });
    expect(looks, 'a look that hangs is the only one').to.equal(1 + 1);
  });

  it('knows nothing before its first look, for which a start waits', async () => {
    answer = HANGING;
    const { health, start, stop } = watch();
    const asked = health();
    await soon();
    timers.advance(50);
    expect(await asked).to.include({ ok: null, ageMs: null });
    const started = start();
    await soon();
    timers.advance(2_000);
    await started;
    stop();
  });

  it('looks now and then though nobody asks', async () => {
    const { start, stop } = watch();
    await start();
    for (let n = 0; n < 3; n++) {
      timers.advance(5_000);
      await soon();
    }
    expect(looks).to.equal(4);
    stop();
    timers.advance(5_000);
    await soon();
    expect(looks).to.equal(4);
  });
});
