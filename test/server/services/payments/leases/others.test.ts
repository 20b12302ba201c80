import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import type { Store } from '#ports/store';
import { Lease } from '#services/payments/lease';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { RecordedLog } from '#test/support/recorded-log';

const RENEWALS_INTERVAL_MS = 1_500;

describe('a process that finds another one on its store', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let store: Store;
  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    store = await fixture.open();
  });
  afterEach(() => fixture.remove());

  /**
   * Starts a lease, and another one beside it; returns what the first one logs in the time of three
   * renewals.
   */
  async function linesBeside(othersMax: number): Promise<readonly string[]> {
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    const log = new RecordedLog();
    const deps = { leases: store.leases, othersMax, stopwatch: clock, timers, random: systemRandom };
    const other = new Lease({ ...deps, log: new RecordedLog() });
    const lease = new Lease({ ...deps, log });
    await Promise.all([lease.start(), other.start()]);
    for (let renewals = 0; renewals < 3; renewals++) {
      while (timers.waiting < 2) await new Promise(setImmediate);
      timers.advance(RENEWALS_INTERVAL_MS);
    }
    while (timers.waiting < 2) await new Promise(setImmediate);
    await Promise.all([lease.end(), other.end()]);
    return log.lines;
  }

  it('warns of it once if only one should work there: but for a restart it is a mistake', async () => {
    expect(await linesBeside(1)).to.deep.equal(['warn another process is at work on the same store']);
  });

  it('notes it once if replicas share the store: there it is as it should be', async () => {
    expect(await linesBeside(63)).to.deep.equal(['info another replica is at work on the same store']);
  });
});
