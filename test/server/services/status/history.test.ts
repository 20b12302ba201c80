import { expect } from 'chai';
import { StatusHistorySchema } from '#api/status-history';
import type { LineFile } from '#ports/line-file';
import { watchStatus } from '#services/status/history';
import { STATUS } from '#test/server/http/support/door';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const MINUTE_MS = 60_000;

describe('the history of the status', () => {
  function rig(file: LineFile = memoryFile()) {
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
      file,
      clock,
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

  it('has what an earlier process kept, without lines that cannot be read or are too old', async () => {
    const file = memoryFile();
    const first = rig(file);
    first.watch.start();
    await first.pass(2);
    first.watch.stop();
    file.lines.unshift(JSON.stringify({ ...first.samples()[0], t: 5 }), '{"t":17');
    const second = rig(file);
    second.clock.advance(5 * MINUTE_MS);
    second.watch.start();
    await second.pass(1);
    const ago = second.samples().map(({ t }) => second.clock.nowMs() / 1e3 - t);
    expect(ago).to.deep.equal([360, 300, 240, 60, 0]);
    second.watch.stop();
  });

  it('goes on in memory when its file cannot be read or written', async () => {
    const broken = () => Promise.reject(new Error('no disk'));
    const { watch, pass, samples, errors } = rig({ read: broken, append: broken, replace: broken });
    watch.start();
    await pass(2);
    expect(samples()).to.have.length(3);
    expect(errors.length).to.be.above(0);
    watch.stop();
  });

  it('waits for no disk, and keeps its file to two days', async () => {
    const file = memoryFile();
    const { watch, pass, samples } = rig(file);
    watch.start();
    await pass(3_000);
    expect(file.lines.length).to.be.within(1_440, 2_880);
    expect(JSON.parse(file.lines.at(-1)!)).to.deep.equal(samples().at(-1));
    watch.stop();
    const never = () => new Promise<never>(() => {});
    const hung = rig({ read: never, append: never, replace: never });
    hung.watch.start();
    await hung.pass(2);
    expect(hung.samples()).to.have.length(3);
    hung.watch.stop();
  });
});

function memoryFile(): LineFile & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    read: async () => [...lines],
    append: async (more) => void lines.push(...more),
    replace: async (all) => void lines.splice(0, lines.length, ...all),
  };
}
