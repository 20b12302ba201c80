import { expect } from 'chai';
import type { Log } from '#ports/log';
import type { Board } from '#ports/ratings-store';
import type { RunOutcome } from '#services/ratings/job';
import { lastDueAsOf, RatingSchedule, type RatingScheduleDeps } from '#services/ratings/schedule';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { sampleBoard } from '#test/support/sample-ratings';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const HOUR_MS = 3_600_000;
const secondsOf = (text: string) => Date.parse(text) / 1e3;

/**
 * A schedule whose clock and timers are the test's. Runs take no time; a run that is due puts its
 * board in force.
 */
class Nights {
  readonly clock: ManualClock;
  readonly runs: string[] = [];
  board: Board | null = null;
  failing = 0;
  /** A run goes on until it is given up. */
  endless = false;
  outcome: RunOutcome['kind'] = 'published';
  readonly schedule: RatingSchedule;
  readonly #timers: ManualTimers;

  constructor(now: string, chance = 0.5, isForUs: RatingScheduleDeps['isForUs'] = async () => true) {
    this.clock = new ManualClock(Date.parse(now));
    this.#timers = new ManualTimers(this.clock);
    this.schedule = new RatingSchedule({
      store: { board: async () => this.board, runReport: async () => null },
      job: { run: (asOfS, options) => this.#run(asOfS, options?.signal) },
      clock: this.clock,
      random: { next: () => chance, bytes: (count) => new Uint8Array(count) },
      log: silent,
      timers: this.#timers,
      isForUs,
    });
  }

  /** Lets time pass, and whatever becomes due in it happen at its moment. */
  async pass(ms: number): Promise<void> {
    const endMs = this.clock.nowMs() + ms;
    for (;;) {
      const dueAtMs = this.#timers.nextDueAtMs ?? Number.POSITIVE_INFINITY;
      if (dueAtMs > endMs) break;
      this.#timers.advance(Math.max(0, dueAtMs - this.clock.nowMs()));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.clock.advance(endMs - this.clock.nowMs());
  }

  async #run(asOfS: number, signal?: AbortSignal): Promise<RunOutcome> {
    this.runs.push(
      `${new Date(this.clock.nowMs()).toISOString().slice(5, 16)} for ${new Date(asOfS * 1e3).toISOString().slice(5, 10)}`,
    );
    if (this.failing > 0) {
      this.failing--;
      throw new Error('the tape broke');
    }
    if (this.endless) await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    if (this.outcome === 'busy') return { kind: 'busy' };
    this.board = sampleBoard({ asOfS });
    return { kind: 'published', board: this.board };
  }
}

describe('rating schedule', () => {
  it('rates every night at 03:00 UTC, once', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.board = sampleBoard({ asOfS: secondsOf('2026-08-01T00:00:00Z') });
    nights.schedule.start();
    await nights.pass(72 * HOUR_MS);
    expect(nights.runs).to.deep.equal(['08-02T03:00 for 08-02', '08-03T03:00 for 08-03', '08-04T03:00 for 08-04']);
  });

  it('rates at the start where the board is older than it should be, of a day to come, or none', async () => {
    for (const [now, board, runs] of [
      ['2026-08-02T12:00:00Z', '2026-08-01T00:00:00Z', ['08-02T12:00 for 08-02']],
      ['2026-08-02T12:00:00Z', null, ['08-02T12:00 for 08-02']],
      ['2026-08-02T02:59:59Z', null, ['08-02T02:59 for 08-01']],
      ['2026-08-02T02:00:00Z', '2026-08-01T00:00:00Z', []],
      ['2026-08-02T12:00:00Z', '2026-08-02T00:00:00Z', []],
      ['2026-08-02T12:00:00Z', '2026-08-03T00:00:00Z', ['08-02T12:00 for 08-02']],
    ] as const) {
      const nights = new Nights(now);
      nights.board = board === null ? null : sampleBoard({ asOfS: secondsOf(board) });
      nights.schedule.start();
      await nights.pass(500);
      expect(nights.runs, now).to.deep.equal(runs);
    }
  });

  it('tries again after failures, waits longer each time, and is in time by 04:30', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z', 1);
    nights.board = sampleBoard({ asOfS: secondsOf('2026-08-01T00:00:00Z') });
    nights.failing = 5;
    nights.schedule.start();
    await nights.pass(24 * HOUR_MS);
    expect(nights.runs.map((run) => run.slice(6, 11))).to.deep.equal([
      '03:00',
      '03:01',
      '03:03',
      '03:07',
      '03:15',
      '03:30',
    ]);
    expect((await nights.schedule.report()).failuresInARow).to.equal(0);
    expect(nights.board?.asOfS).to.equal(secondsOf('2026-08-02T00:00:00Z'));
  });

  it('keeps trying for ever, a few times an hour, and then for the day that is due', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z', 1);
    nights.failing = 1_000;
    nights.schedule.start();
    await nights.pass(24 * HOUR_MS);
    expect(nights.runs.length).to.be.within(90, 110);
    expect(nights.runs.at(-1)).to.include('for 08-02');
    expect((await nights.schedule.report()).failuresInARow).to.equal(nights.runs.length);
  });

  it('notices soon that a sleeping machine has missed a night', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.board = sampleBoard({ asOfS: secondsOf('2026-08-01T00:00:00Z') });
    nights.schedule.start();
    await nights.pass(HOUR_MS);
    nights.clock.advance(40 * HOUR_MS);
    await nights.pass(HOUR_MS);
    expect(nights.runs).to.deep.equal(['08-03T05:00 for 08-03']);
  });

  it('looks again later where another run is under way', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.outcome = 'busy';
    nights.schedule.start();
    await nights.pass(HOUR_MS);
    expect(nights.runs.length).to.be.above(1);
  });

  it('takes the night over within ten seconds of the lease of a process that died over it', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.outcome = 'busy';
    nights.schedule.start();
    await nights.pass(15_000);
    const [looks, { failuresInARow }] = [nights.runs.length, await nights.schedule.report()];
    nights.outcome = 'published';
    await nights.pass(10_000);
    expect([nights.runs.length - looks, failuresInARow]).to.deep.equal([1, 0]);
    expect(nights.board?.asOfS).to.equal(secondsOf('2026-08-01T00:00:00Z'));
  });

  it('leaves the night to other processes for as long as it is for them, and asks how late it is', async () => {
    const requested: number[] = [];
    const nights = new Nights('2026-08-02T02:59:30Z', 0.5, async ({ lateMs }) => {
      requested.push(lateMs);
      return lateMs >= 60_000;
    });
    nights.board = sampleBoard({ asOfS: secondsOf('2026-08-01T00:00:00Z') });
    nights.schedule.start();
    await nights.pass(300_000);
    expect(nights.runs).to.deep.equal(['08-02T03:01 for 08-02']);
    expect(requested).to.deep.equal([0, 1, 2, 3, 4, 5, 6].map((n) => n * 10_000));
  });

  it('gives up a run that is under way when it is stopped, and counts no failure', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.endless = true;
    nights.schedule.start();
    await nights.pass(0);
    await nights.schedule.stop();
    const { failuresInARow, boardAsOfS } = await nights.schedule.report();
    expect([nights.runs.length, failuresInARow, boardAsOfS]).to.deep.equal([1, 0, null]);
  });

  it('begins nothing after it was stopped', async () => {
    const nights = new Nights('2026-08-01T12:00:00Z');
    nights.schedule.start();
    await nights.schedule.stop();
    await nights.pass(48 * HOUR_MS);
    expect(nights.runs).to.deep.equal([]);
  });

  it('takes today’s board for due from 03:00 on', () => {
    const due = (text: string) => new Date(lastDueAsOf(Date.parse(text)) * 1e3).toISOString().slice(0, 10);
    expect(['2026-08-02T02:59:59.999Z', '2026-08-02T03:00:00Z', '2026-08-02T23:59:59Z'].map(due)).to.deep.equal([
      '2026-08-01',
      '2026-08-02',
      '2026-08-02',
    ]);
  });
});
