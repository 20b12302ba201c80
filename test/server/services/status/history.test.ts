import { expect } from 'chai';
import { StatusHistorySchema } from '#api/status-history';
import { watchStatus } from '#services/status/history';
import { STATUS } from '#test/server/http/support/door';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const MINUTE_MS = 60_000;

describe('the history of the status', () => {
  function rig() {
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    const errors: unknown[] = [];
    let isUp = true;
    const watch = watchStatus({
      async report() {
        if (!isUp) throw new Error('no report');
        const p95 = Math.round(clock.elapsedMs() / MINUTE_MS) % 100;
        return {
          ...STATUS,
          now: new Date(clock.nowMs()).toISOString(),
          preflight_trade: { count: 1, p50_ms: 1, p95_ms: p95 },
        };
      },
      timers,
      onError: (error) => errors.push(error),
    });
    const pass = async (minutes: number) => {
      for (let n = 0; n < minutes; n++) {
        // The next wait begins once the sample before it is taken.
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        timers.advance(MINUTE_MS);
      }
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    };
    const setUp = (up: boolean) => {
      isUp = up;
    };
    const samples = () => StatusHistorySchema.parse(JSON.parse(watch.text())).samples;
    return { watch, clock, pass, samples, errors, setUp };
  }

  it('has a sample at the start and one for each minute, the oldest first', async () => {
    const { watch, clock, pass, samples } = rig();
    const startS = Math.floor(clock.nowMs() / 1e3);
    watch.start();
    await pass(3);
    expect(samples().map(({ t }) => t - startS)).to.deep.equal([0, 60, 120, 180]);
    expect(samples()[0]).to.deep.include({ rules: [], p50: 1, age: null });
    expect(watch.text()).to.equal(watch.text());
    watch.stop();
  });

  it('forgets what is older than a day', async () => {
    const { watch, clock, pass, samples } = rig();
    const startS = Math.floor(clock.nowMs() / 1e3);
    watch.start();
    await pass(1_500);
    expect(samples()).to.have.length(1_440);
    expect(samples()[0]!.t - startS).to.equal((1_501 - 1_440) * 60);
    watch.stop();
  });

  it('lacks the minutes at which there was no report, and goes on', async () => {
    const { watch, pass, samples, errors, setUp } = rig();
    watch.start();
    await pass(1);
    setUp(false);
    await pass(2);
    setUp(true);
    await pass(1);
    expect(samples()).to.have.length(3);
    expect(errors).to.have.length(2);
    watch.stop();
  });
});
