import { expect } from 'chai';
import { ScoreboardSchema } from '#api/scoreboard';
import { OutsideError } from '#domain/errors';
import type { FollowedBoard } from '#domain/follow-up/followed-board';
import { dayAfter, type ScoreDay } from '#domain/scoreboard/score-day';
import type { JobHold } from '#ports/job-leases';
import type { ScoreStore } from '#ports/score-store';
import type { HeldJob, JobOwner } from '#services/jobs/job-owner';
import { PASS_MS } from '#services/scoreboard/sampler';
import { FOLLOW_LOOK_MS, Scoreboard, WRITE_MS } from '#services/scoreboard/scoreboard';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { scoreDay } from '#test/support/sample-scores';

const NOON = Date.parse('2026-11-27T12:00:00Z');
const HOLD: JobHold = { job: 'scoreboard', owner: 'a', epoch: 1 };

/** Days in memory, which may be away. */
class Scores implements ScoreStore {
  readonly days = new Map<string, ScoreDay>();
  trimmed: string[] = [];
  isAway = false;

  async day(day: string): Promise<ScoreDay | null> {
    return this.days.get(day) ?? null;
  }

  async put(day: ScoreDay): Promise<void> {
    if (this.isAway) throw new OutsideError('store', 'is away', { failure: 'retryable' });
    this.days.set(day.day, day);
  }

  async list() {
    return { items: [...this.days.values()], faults: [], next: null };
  }

  async trim(before: string): Promise<number> {
    this.trimmed.push(before);
    return 0;
  }
}

const settle = async () => {
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the scoreboard of a process', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let scores: Scores;
  let lost: AbortController;
  let isBusy: boolean;
  let boards: Scoreboard[];
  let followed: readonly FollowedBoard[];

  beforeEach(() => {
    clock = new ManualClock(NOON);
    timers = new ManualTimers(clock);
    scores = new Scores();
    lost = new AbortController();
    isBusy = false;
    boards = [];
    followed = [];
  });

  afterEach(() => Promise.all(boards.map((board) => board.stop())));

  function open({ isOn = true } = {}): Scoreboard {
    const doAlone: JobOwner['doAlone'] = async (_, work) => {
      if (isBusy) return { kind: 'busy' };
      const held: HeldJob = { hold: HOLD, signal: lost.signal, isOurs: async () => true };
      return { kind: 'done', value: await work(held) };
    };
    const nothing = () => {};
    const board = new Scoreboard({
      scores,
      follows: { list: async () => ({ items: followed, faults: [], next: null }) },
      jobs: { doAlone },
      books: { freshTokens: () => [], peek: () => null },
      marketOf: () => null,
      clock,
      timers,
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      isOn,
    });
    boards.push(board);
    board.start();
    return board;
  }

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= PASS_MS / 2) {
      await settle();
      timers.advance(Math.min(left, PASS_MS / 2));
    }
    await settle();
  }

  const passesOf = (day: string) => scores.days.get(day)?.passes ?? 0;

  it('draws every five seconds and writes every minute', async () => {
    open();
    await pass(WRITE_MS - PASS_MS);
    expect(passesOf('2026-11-27')).to.equal(0);
    await pass(PASS_MS);
    expect(passesOf('2026-11-27')).to.equal(WRITE_MS / PASS_MS + 1);
  });

  it('shows the boards that are followed, and what changed of them within ten minutes', async () => {
    const board = open();
    const shown = () => ScoreboardSchema.parse(JSON.parse(board.view.text())).follow_up;
    await pass(PASS_MS);
    expect(shown()).to.deep.include({ days: 30, boards: [] });
    followed = [followedBoard({ result: followResult() })];
    await pass(FOLLOW_LOOK_MS);
    expect(shown()?.boards.map(({ as_of: asOf, resolved }) => [asOf, resolved])).to.deep.equal([['2026-08-01', 40]]);
    expect(shown()?.total).to.include({ boards: 1, wallets: 2, resolved: 3 });
  });

  it('writes what it has when it is stopped', async () => {
    const board = open();
    await pass(PASS_MS * 2);
    await board.stop();
    expect(passesOf('2026-11-27')).to.equal(3);
  });

  it('goes on with what the store has of the day', async () => {
    scores.days.set('2026-11-27', scoreDay('2026-11-27', 50));
    const board = open();
    await pass(PASS_MS);
    await board.stop();
    expect(passesOf('2026-11-27')).to.equal(52);
    expect(scores.days.get('2026-11-27')!.cells).to.deep.equal(scoreDay('2026-11-27', 50).cells);
  });

  it('counts nothing twice and loses nothing of the days around midnight, and then looks for what is too old', async () => {
    clock.advance(12 * 3_600_000 - 30_000);
    const board = open();
    await pass(180_000);
    await board.stop();
    expect([passesOf('2026-11-27'), passesOf('2026-11-28')]).to.deep.equal([6, 31]);
    expect(scores.trimmed).to.deep.equal([]);
  });

  it('does not write over a day that the wall clock is set back to', async () => {
    scores.days.set('2026-11-20', scoreDay('2026-11-20', 50));
    const board = open();
    await pass(PASS_MS);
    clock.step(-7 * 86_400_000);
    await pass(PASS_MS * 2);
    await board.stop();
    expect(passesOf('2026-11-20')).to.be.above(50);
  });

  for (const [day, days] of [
    ['2026-11-20', -7],
    ['2026-11-28', 1],
  ] as const) {
    it(`does not write over ${day} where the wall clock is set to it while the process is late`, async () => {
      scores.days.set(day, scoreDay(day, 50));
      const board = open();
      await pass(PASS_MS);
      clock.step(days * 86_400_000);
      timers.advance(PASS_MS + 3_000);
      await pass(PASS_MS * 3);
      await board.stop();
      expect(scores.days.get(day)).to.deep.include({ passes: 53, skipped: 1, cells: scoreDay(day, 50).cells });
    });
  }

  it('skips a draw when the process is late', async () => {
    const board = open();
    await settle();
    // Nothing had its turn for three seconds.
    timers.advance(PASS_MS + 3_000);
    await pass(2_000);
    await board.stop();
    expect(scores.days.get('2026-11-27')).to.include({ passes: 1, skipped: 1 });
  });

  it('counts nothing while another process does, and shows what that one counts', async () => {
    isBusy = true;
    const board = open();
    await pass(WRITE_MS * 2);
    expect(passesOf('2026-11-27')).to.equal(0);
    scores.days.set('2026-11-27', scoreDay('2026-11-27', 7));
    await pass(WRITE_MS);
    expect(JSON.parse(board.view.text()).draws).to.equal(7);
  });

  it('stops when it has lost the job, and writes nothing any more', async () => {
    open();
    await pass(PASS_MS);
    lost.abort();
    await pass(WRITE_MS / 2);
    expect(passesOf('2026-11-27')).to.equal(0);
  });

  it('goes on once a store that was away is back', async () => {
    open();
    scores.isAway = true;
    await pass(WRITE_MS + PASS_MS);
    scores.isAway = false;
    await pass(WRITE_MS * 2 + PASS_MS * 2);
    expect(passesOf('2026-11-27')).to.be.above(0);
  });

  it('counts nothing where it is turned off', async () => {
    scores.days.set('2026-11-26', scoreDay('2026-11-26', 7));
    const board = open({ isOn: false });
    await pass(WRITE_MS * 2);
    expect(scores.days.size).to.equal(1);
    expect(JSON.parse(board.view.text())).to.include({ is_on: false, draws: 7 });
  });
});

describe('what is shown of the scoreboard', () => {
  const clock = new ManualClock(NOON);
  const nothing = () => {};

  async function viewOf(days: readonly ScoreDay[]) {
    const scores = new Scores();
    for (const day of days) scores.days.set(day.day, day);
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
    const board = new Scoreboard({
      ...{ scores, clock, timers: new ManualTimers(clock), log, isOn: true, marketOf: () => null },
      follows: { list: async () => ({ items: [], faults: [], next: null }) },
      jobs: { doAlone: async () => ({ kind: 'busy' }) },
      books: { freshTokens: () => [], peek: () => null },
    });
    await board.view.refresh();
    return board.view;
  }

  it('is as the interface says, of the last thirty days and no others', async () => {
    const days = [0, 1, 2, 29, 30].map((back) => scoreDay(dayAfter('2026-11-27', -back), 10 ** Math.min(3, back)));
    const shown = ScoreboardSchema.parse(JSON.parse((await viewOf(days)).text()));
    expect(shown).to.include({ from: '2026-10-29', to: '2026-11-27', draws: 1 + 10 + 100 + 1_000 });
    expect(new Set(shown.series.map(({ day }) => day))).to.have.length(4);
    const all = shown.rows.filter(({ category, verdict }) => category === 'all' && verdict === 'OK');
    expect(all.reduce((sum, { n }) => sum + n, 0)).to.equal(2 * 1_111);
  });

  it('is what was counted on one day, if that is asked for', async () => {
    const view = await viewOf([scoreDay('2026-03-01', 40)]);
    expect(ScoreboardSchema.parse(JSON.parse((await view.textOf('2026-03-01'))!))).to.include({
      ...{ from: '2026-03-01', to: '2026-03-01', draws: 40, seed: 'scoreboard/2026-03-01' },
    });
    expect(await view.textOf('2026-03-02')).to.equal(null);
  });

  const QUESTION = { verdict: 'OK', usd: 100, category: 'fee-free', matchingDelayS: 0 } as const;

  it('says nothing of orders of which fewer than 1,000 were looked at', async () => {
    expect((await viewOf([scoreDay('2026-11-27', 1_998)])).overtakenOf(QUESTION)).to.equal(null);
  });

  it('says how often orders like one were overtaken', async () => {
    const view = await viewOf([scoreDay('2026-11-26', 1_000), scoreDay('2026-11-10', 1_000)]);
    const { ci95, ...overtaken } = view.overtakenOf(QUESTION)!;
    expect(overtaken).to.deep.equal({ horizon: 1, worse_by_cents: 3, rate: 0.4, n: 1_000 });
    expect(ci95[0]).to.be.below(0.4);
    expect(ci95[1]).to.be.above(0.4);
    expect(view.overtakenOf({ ...QUESTION, category: 'another' })).to.equal(null);
    expect(view.overtakenOf({ ...QUESTION, matchingDelayS: 3 })).to.equal(null);
    expect(view.overtakenOf({ ...QUESTION, verdict: 'CAUTION' })).to.equal(null);
  });
});
