import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import {
  type UpstreamWatch,
  WATCH_FAILING_INTERVAL_MS,
  WATCH_INTERVAL_MS,
  watchUpstreams,
} from '#services/status/upstream-watch';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

describe('the watch of upstreams', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let watch: UpstreamWatch;

  beforeEach(() => {
    clock = new ManualClock();
    timers = new ManualTimers(clock);
  });
  afterEach(() => watch.stop());

  /**
   * An upstream that counts how often it was asked whether it is well, and that can be used or fail
   * meanwhile.
   */
  function upstream() {
    let lastOkAtMs: number | null = null;
    let lastError: string | null = null;
    const one = {
      probes: 0,
      isWell: true,
      use() {
        lastOkAtMs = clock.nowMs();
        lastError = null;
      },
      fail() {
        lastError = 'answered 500';
      },
      async probe() {
        one.probes++;
        if (one.isWell) one.use();
        else one.fail();
      },
      health: () => ({ name: 'one', ok: lastError === null && lastOkAtMs !== null, lastOkAtMs, lastError }),
    };
    return one;
  }

  async function pass(ms: number): Promise<void> {
    timers.advance(ms);
    await soon();
  }

  it('asks each at the start, and then those that were not used for ten seconds', async () => {
    const [idle, busy] = [upstream(), upstream()];
    watch = watchUpstreams({ upstreams: [idle, busy], clock, timers });
    watch.start();
    await soon();
    expect([idle.probes, busy.probes]).to.deep.equal([1, 1]);
    clock.advance(1_000);
    busy.use();
    await pass(WATCH_INTERVAL_MS - 1_000);
    expect([idle.probes, busy.probes]).to.deep.equal([2, 1]);
  });

  it('finds out that one works again whose last call failed', async () => {
    const one = upstream();
    watch = watchUpstreams({ upstreams: [one], clock, timers });
    watch.start();
    await soon();
    one.fail();
    expect(one.health().ok).to.equal(false);
    await pass(WATCH_INTERVAL_MS);
    expect(one.health()).to.include({ ok: true, lastError: null });
  });

  it('asks one that is not well once a second, and holds up none for one that does not answer', async () => {
    const [silent, failing] = [upstream(), upstream()];
    silent.probe = () => {
      silent.probes++;
      return new Promise(() => {});
    };
    failing.isWell = false;
    watch = watchUpstreams({ upstreams: [silent, failing], clock, timers });
    watch.start();
    await soon();
    for (let seconds = 0; seconds < 5; seconds++) await pass(WATCH_FAILING_INTERVAL_MS);
    expect([silent.probes, failing.probes]).to.deep.equal([1, 6]);
    failing.isWell = true;
    await pass(WATCH_FAILING_INTERVAL_MS);
    expect(failing.health().ok).to.equal(true);
    for (let seconds = 0; seconds < 5; seconds++) await pass(WATCH_FAILING_INTERVAL_MS);
    expect(failing.probes, 'as it is well').to.equal(7);
  });

  it('asks no more once it is stopped', async () => {
    const one = upstream();
    watch = watchUpstreams({ upstreams: [one], clock, timers });
    watch.start();
    await soon();
    watch.stop();
    await pass(WATCH_INTERVAL_MS);
    expect(one.probes).to.equal(1);
  });
});
