import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { openCredits, withinTime } from '#compose/credits';
import { ChangeOutcomes } from '#services/status/change-outcomes';
import { watchStore } from '#services/status/store-watch';
import { walletNumber } from '#test/contract/store.contract';
import { ManualClock } from '#test/support/manual-clock';
import { mountOrSkip } from '#test/support/mounted';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { bearerOf } from '../support/credits-home.js';

const DISK = ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs'];
const ROOM_BYTES = 200_000;
const WALLET = walletNumber(1);
const CALLS_MAX = 1_000;

describe('the watch of a store on a disk that is nearly full', function () {
  this.timeout(PROCESS_TEST_MS);
  let disk: string;
  let unmount = () => {};

  before(function () {
    disk = tempFolder('disk');
    unmount = mountOrSkip(this, ...DISK, disk);
  });
  after(() => unmount());

  it('finds it unwell while debits fail, and while nobody tries any more, until there is room', async () => {
    const clock = new ManualClock();
    const changes = new ChangeOutcomes(clock);
    const operators = openCredits(disk);
    const { credits } = withinTime(operators, changes, { timers: systemTimers, random: systemRandom });
    const { health } = watchStore({
      ...{ store: operators.store, changes, clock, timers: systemTimers, random: systemRandom },
    });
    await credits.grant(WALLET, CALLS_MAX, 30, 'test');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - ROOM_BYTES));
    const debit = async (n: number) => {
      const key = `call-${n}`;
      const call = { bearer: bearerOf(WALLET), tool: 'preflight_trade', credits: 1, requestId: key } as const;
      const render = () => systemRandom.bytes(800).join();
      return credits.charge({ ...call, idempotency: { key, fingerprint: key }, render }).then(
        ({ kind }) => kind === 'charged',
        () => false,
      );
    };
    let [done, failed, calls] = [0, 0, 0];
    const wrong: string[] = [];
    while (failed < 20 && calls < CALLS_MAX) {
      clock.advance(100);
      if (await debit(calls++)) done++;
      else failed++;
      const { ok } = await health();
      if (ok !== (failed === 0)) wrong.push(`${done} done, ${failed} failed: ${ok}`);
    }
    expect(done, 'debits before the disk is full').to.be.above(0);
    expect(failed).to.equal(20);
    expect(wrong).to.deep.equal([]);

    for (let n = 0; n < 5; n++) {
      clock.advance(10_000);
      const { ok } = await health();
      expect({ ok, wouldDebit: await debit(calls++) }, `idle look ${n}`).to.deep.equal({
        ok: false,
        wouldDebit: false,
      });
    }
    rmSync(join(disk, 'filler'));
    clock.advance(10_000);
    expect(await health()).to.include({ ok: true });
    expect(await debit(calls++)).to.equal(true);
    await operators.store.close();
  });
});
