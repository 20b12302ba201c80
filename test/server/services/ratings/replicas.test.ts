import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import { encodeFollowedBoard } from '#adapters/rows/follow-rows';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import { JOB_LEASE_MS } from '#ports/job-leases';
import type { SharedRatings } from '#ports/wallet-claims';
import { JobOwner } from '#services/jobs/job-owner';
import { RatingJob } from '#services/ratings/job';
import { keptBoards } from '#services/ratings/kept-boards';
import { RatingSchedule } from '#services/ratings/schedule';
import { walletNumber } from '#test/contract/store.contract';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { postgresServer } from '#test/support/postgres';
import { type Deferred, deferred } from '#test/support/promises';
import { followedBoard } from '#test/support/sample-follows';
import { AS_OF_S } from '#test/support/sample-ratings';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const WALLETS = [walletNumber(1), walletNumber(2)];
const FILLS = WALLETS.flatMap((wallet) => fillsOf(wallet, 40));
const MARKETS = new Map(FILLS.map((fill, n) => [fill.condition, marketOf(fill, n % 2 === 0)]));
const LOOKS_MAX = 4_000;
/**
 * Time passes five times as fast as it does: a machine that is slow for a moment must not look
 * dead.
 */
const STEP_MS = 25;

/**
 * The nights of one replica, which end when the test lets its ratings out, and whose time passes
 * when the test says so.
 */
class Nights {
  readonly timers: ManualTimers;
  /** Rating stands still here. */
  gate: Promise<void> = Promise.resolve();
  rated = 0;
  followedUp = 0;
  readonly owner: JobOwner;
  readonly schedule: RatingSchedule;

  private constructor(
    readonly store: SharedRatings,
    clock: ManualClock,
  ) {
    const timers = new ManualTimers(clock);
    this.timers = timers;
    const base = { clock, timers, log: silent, random: systemRandom };
    this.owner = new JobOwner({ ...base, leases: store.jobs, stopwatch: clock });
    const job = new RatingJob({
      ...{ ...base, store, jobs: this.owner, config: RATING_CONFIG },
      tape: {
        compact: async () => {},
        fillsOf: async (wallet) => FILLS.filter((fill) => fill.wallet === wallet),
        marketsOf: async () => MARKETS,
        names: async function* () {},
        outcomes: (span) => this.#outcomes(span),
        status: async () => ({
          ...{ fills: 1, segments: 1, markets: 1, marketsResolved: 1, bytes: 1, compactedThroughDay: null },
          ...{ firstFillS: AS_OF_S - 100 * 86_400, lastFillS: AS_OF_S - 1 },
        }),
        rateAll: (asOfS) => this.#rateAll(asOfS),
      },
      refreshMarkets: async () => {},
      gapsOf: async () => [],
    });
    this.schedule = new RatingSchedule({ ...base, store, job });
  }

  static async open(fixture: PostgresRatingsFixture): Promise<Nights> {
    const clock = new ManualClock((AS_OF_S + 4 * 3_600) * 1e3);
    return new Nights(await fixture.open(clock), clock);
  }

  async *#outcomes({ fromS }: { readonly fromS: number }) {
    this.followedUp++;
    const tally = { entries: 2, scored: 1, returnFeeNano: 5e8 };
    yield [{ wallet: WALLETS[0]!, event: 'E', dayS: fromS, all: tally, filtered: tally }];
  }

  async *#rateAll(asOfS: number) {
    for (const wallet of WALLETS) {
      yield [sumWallet(wallet, FILLS, MARKETS, asOfS, RATING_CONFIG)];
      this.rated++;
      await this.gate;
    }
  }

  /** Lets a little time pass again and again, until something has happened. */
  async until(happened: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await happened()); looks++) {
      if (looks > LOOKS_MAX) throw new Error('it never happened');
      this.timers.advance(STEP_MS);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

describe('the nightly run of replicas', function () {
  this.timeout(PROCESS_TEST_MS);
  const makeFixture = postgresRatingsFixtures(postgresServer());
  let fixture: PostgresRatingsFixture;
  let leader: Nights;
  let standby: Nights;
  let gate: Deferred;

  beforeEach(async () => {
    fixture = await makeFixture();
    leader = await Nights.open(fixture);
    standby = await Nights.open(fixture);
    gate = deferred();
    leader.gate = gate.promise;
    leader.schedule.start();
    await leader.until(() => leader.rated > 0);
    standby.schedule.start();
  });

  afterEach(async () => {
    gate.resolve();
    await Promise.all([leader.schedule.stop(), standby.schedule.stop()]);
    await fixture.remove();
  });

  const due = async ({ store }: Nights) => (await store.board())?.asOfS === AS_OF_S;

  it('is made by one of them: the other one looks again, and finds its board', async () => {
    for (let looks = 0; looks < 3; looks++) {
      standby.timers.advance(10_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([standby.rated, standby.owner.held, leader.owner.held]).to.deep.equal([0, [], ['night']]);
    gate.resolve();
    await leader.until(() => due(leader));
    standby.timers.advance(10_000);
    await standby.until(() => due(standby));
    expect(standby.rated).to.equal(0);
  });

  it('follows earlier boards up in the one that rates, and the other one reads what came of it', async () => {
    const board = followedBoard({ asOfS: AS_OF_S - 86_400, wallets: WALLETS });
    await fixture.sql(
      `INSERT INTO followed_board VALUES (${board.asOfS}, '${JSON.stringify(encodeFollowedBoard(board))}')`,
    );
    gate.resolve();
    await leader.until(() => due(leader));
    await leader.until(() => leader.owner.held.length === 0);
    standby.timers.advance(10_000);
    await standby.until(() => due(standby));
    const kept = await keptBoards(standby.store.follows);
    expect(kept.boards.map(({ result }) => result && [result.entries, result.resolved, result.roi])).to.deep.equal([
      [2, 1, 0.5],
      null,
    ]);
    expect([leader.followedUp, standby.followedUp]).to.deep.equal([1, 0]);
  });

  it('is taken over by another when the leader stands still, whose board is refused when it goes on', async () => {
    // The leader renews nothing: none of its time passes.
    await fixture.sql(`UPDATE job_lease SET until = until - interval '${JOB_LEASE_MS} milliseconds'`);
    standby.timers.advance(10_000);
    await standby.until(() => due(standby));
    // The board is in force a moment before its run is written down as ended.
    await standby.until(async () => (await standby.store.runReport())?.endedAtMs != null);
    const board = await fixture.sql('SELECT run, doc FROM board');
    const report = await standby.store.runReport();
    gate.resolve();
    await leader.until(() => leader.owner.held.length === 0);
    expect(await fixture.sql('SELECT run, doc FROM board')).to.deep.equal(board);
    expect(await standby.store.runReport()).to.deep.equal(report);
    expect((await leader.schedule.report()).failuresInARow).to.equal(0);
    expect(await fixture.sql('SELECT count(*)::int AS n FROM published_run')).to.deep.equal([{ n: 1 }]);
  });
});
