import { join } from 'node:path';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { followTotal } from '#domain/follow-up/follow-total';
import { FOLLOWED_BOARDS_DAYS, FOLLOWED_DAYS, type FollowedBoard } from '#domain/follow-up/followed-board';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { JobHold } from '#ports/job-leases';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import { type FollowUpDeps, followUpBoards } from '#services/ratings/follow-up';
import { RatingJob } from '#services/ratings/job';
import { keptBoards } from '#services/ratings/kept-boards';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { type HistoryWorld, makeHistoryWorld } from '#test/support/history-world';
import { jobOwner } from '#test/support/job-owners';
import { ManualClock } from '#test/support/manual-clock';
import { copiedByHand, reportedFills, reportedMarkets } from '#test/support/planted-backtest';
import { outsideErrorOf } from '#test/support/promises';
import { followedBoard } from '#test/support/sample-follows';
import { sampleBoard } from '#test/support/sample-ratings';
import { FOLLOWED_WORLDS } from '#test/support/size';
import { tempFolder } from '#test/support/temp-folder';
import { AS_OF_S, DAY_S } from '#tools/bench/skill/calendar';

const FIRST_SEED = 72;
const SKILLED = 'skilled +15c';
const KINDS = ['no edge', 'poor (-1.5c)', SKILLED];
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const worldOf = (seed: number) =>
  makeHistoryWorld({
    ...{ seed, eventsPerDay: 6 },
    wallets: KINDS.map((name) => ({ name, count: 4, entriesMedian: name === SKILLED ? 120 : 60 })),
  });
const namesOf = (world: HistoryWorld, kind: string) =>
  world.wallets.filter(({ population }) => population.name === kind).map(({ wallet }) => wallet);
const dayS = (day: number) => AS_OF_S + day * DAY_S;

/** Everything of a world. The tape of a night holds more than was known by then. */
async function tapeOf(world: HistoryWorld): Promise<Tape> {
  const tape = await openTape({ dir: join(tempFolder('follow-up'), 'tape') });
  await tape.addFills('all', reportedFills(world));
  await tape.addRows('markets', [...reportedMarkets(world).values()]);
  return tape;
}

describe('following up boards', function () {
  this.timeout(60_000 * (1 + FOLLOWED_WORLDS));
  let world: HistoryWorld;
  let tape: Tape;
  let fixture: Awaited<ReturnType<typeof makeRatingsFixture>>;
  let store: RatingsStore;
  let hold: JobHold;
  let run: number;

  before(async () => {
    world = worldOf(FIRST_SEED);
    tape = await tapeOf(world);
  });
  after(() => tape.close());

  beforeEach(async () => {
    fixture = await makeRatingsFixture();
    store = await fixture.open();
    hold = (await store.jobs.claim('night', 'a'))!;
    run = 0;
  });

  afterEach(async () => {
    await store.close();
    await fixture.remove();
  });

  async function keep(day: number, wallets: readonly string[]): Promise<void> {
    run++;
    const followed = followedBoard({ run, asOfS: dayS(day), wallets });
    await store.publish(sampleBoard({ run, asOfS: dayS(day) }), hold, followed);
  }
  const boards = async () => (await keptBoards(store.follows)).boards;
  const night = (day: number, changes: Partial<FollowUpDeps> = {}) => {
    const deps = { follows: store.follows, tape, gapsOf: async () => [], config: RATING_CONFIG, log: silent };
    return followUpBoards({ ...deps, ...changes }, { knownS: dayS(day), hold });
  };

  /** Returns in which boards the counts are not those of the planted entries. */
  const wrong = (of: HistoryWorld, kept: readonly FollowedBoard[]) =>
    kept.filter(({ wallets, asOfS, result }) => {
      const toS = Math.min(asOfS + FOLLOWED_DAYS * DAY_S, result!.knownS);
      const { entries, resolved, realised, walletsInProfit } = copiedByHand(of, wallets, {
        ...{ fromS: asOfS, toS, knownS: result!.knownS },
      });
      const counted = [result!.entries, result!.resolved, result!.walletsInProfit];
      const isAlike = String(counted) === String([entries, resolved, walletsInProfit]);
      return !isAlike || Math.abs((result!.roi ?? 0) * result!.resolved - realised) > 1e-4;
    });

  it('counts of each board what its wallets brought after it, night after night', async () => {
    const [skilled, plain] = [namesOf(world, SKILLED), namesOf(world, 'no edge')];
    const seen: number[] = [];
    for (const day of [0, 1, 2, 10, 25, 60]) {
      await keep(day, day % 2 === 0 ? skilled : [...plain, ...skilled.slice(0, 1)]);
      await night(day);
      const kept = await boards();
      expect(kept.at(-1)!.result, 'of the new board nothing is known').to.equal(null);
      expect(wrong(world, kept.slice(0, -1))).to.deep.equal([]);
      seen.push(kept[0]!.result?.entries ?? 0);
    }
    expect(seen).to.deep.equal(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).to.be.above(seen[2]!);
  });

  it('has each entry once in the sum of all boards: under the newest board of its moment', async () => {
    const skilled = namesOf(world, SKILLED);
    const days = Array.from({ length: 20 }, (_, day) => day);
    for (const day of days) await keep(day, skilled.slice(day < 10 ? 0 : 1));
    await night(20);
    const total = followTotal(await boards(), RATING_CONFIG.intervalZ);
    const first = copiedByHand(world, skilled, { fromS: dayS(0), toS: dayS(10), knownS: dayS(20) });
    const then = copiedByHand(world, skilled.slice(1), { fromS: dayS(10), toS: dayS(20), knownS: dayS(20) });
    expect(total).to.include({ boards: 20, wallets: skilled.length });
    expect(total.entries).to.equal(first.entries + then.entries);
    expect(total.resolved).to.equal(first.resolved + then.resolved);
    expect(total.roi! * total.resolved).to.be.closeTo(first.realised + then.realised, 1e-4);
    const counted = (await boards()).reduce((sum, { result }) => sum + result!.entries, 0);
    expect(counted, 'boards overlap').to.be.above(total.entries);
  });

  describe('with look-ahead planted', () => {
    const isFound = async (leaky: FollowUpDeps['tape']) => {
      for (const day of [0, 5]) await keep(day, namesOf(world, SKILLED));
      await night(20, { tape: leaky });
      return wrong(world, await boards()).length > 0;
    };

    it('finds nothing where there is none', async () => {
      expect(await isFound(tape)).to.equal(false);
    });

    it('finds entries of before the board that count as later ones', async () => {
      const leaky: Tape = {
        ...tape,
        async *outcomes({ fromS, ...span }, ...more) {
          for await (const batch of tape.outcomes({ fromS: fromS - 10 * DAY_S, ...span }, ...more)) {
            yield batch.map((sums) => ({ ...sums, dayS: Math.max(sums.dayS, fromS) }));
          }
        },
      };
      expect(await isFound(leaky)).to.equal(true);
    });

    it('counts no entry of before the board although the tape hands it over', async () => {
      const generous: Tape = {
        ...tape,
        outcomes: ({ fromS, ...span }, ...more) => tape.outcomes({ fromS: fromS - 90 * DAY_S, ...span }, ...more),
      };
      expect(await isFound(generous)).to.equal(false);
    });

    it('finds results that were not known by then', async () => {
      const leaky: Tape = {
        ...tape,
        outcomes: (span, ...more) => tape.outcomes({ ...span, knownS: span.knownS + 15 * DAY_S }, ...more),
      };
      expect(await isFound(leaky)).to.equal(true);
    });

    it('finds wallets that were chosen by what came after', async () => {
      await keep(0, namesOf(world, 'no edge'));
      await keep(0, namesOf(world, SKILLED));
      expect((await boards()).map(({ wallets }) => wallets)).to.deep.equal([namesOf(world, 'no edge')]);
    });
  });

  it('has an interval that covers what was planted, with skill and without', async () => {
    const found: Record<string, boolean[]> = { boards: [], total: [], skilled: [], unskilled: [] };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + FOLLOWED_WORLDS; seed++) {
      const planted = seed === FIRST_SEED ? world : worldOf(seed);
      const on = seed === FIRST_SEED ? tape : await tapeOf(planted);
      for (const kind of KINDS) {
        const wallets = namesOf(planted, kind);
        const own = await makeRatingsFixture();
        const follows = await own.open();
        const held = (await follows.jobs.claim('night', 'a'))!;
        for (const day of [0, 30]) {
          const followed = followedBoard({ run: day + 1, asOfS: dayS(day), wallets });
          await follows.publish(sampleBoard({ run: day + 1, asOfS: dayS(day) }), held, followed);
        }
        const deps = { follows: follows.follows, tape: on, gapsOf: async () => [], config: RATING_CONFIG, log: silent };
        await followUpBoards(deps, { knownS: dayS(85), hold: held });
        const { boards: kept } = await keptBoards(follows.follows);
        for (const { asOfS, result } of kept) {
          const truth = copiedByHand(planted, wallets, { fromS: asOfS, toS: asOfS + 30 * DAY_S, knownS: dayS(85) });
          const mean = truth.expected / truth.resolved;
          found.boards!.push(result!.low! <= mean && mean <= result!.high!);
        }
        const both = copiedByHand(planted, wallets, { fromS: dayS(0), toS: dayS(60), knownS: dayS(85) });
        const mean = both.expected / both.resolved;
        const total = followTotal(kept, RATING_CONFIG.intervalZ);
        expect(total.resolved).to.equal(both.resolved);
        found.total!.push(total.low! <= mean && mean <= total.high!);
        (kind === SKILLED ? found.skilled : found.unskilled)!.push(total.low! > 0);
        await follows.close();
        await own.remove();
      }
      if (on !== tape) await on.close();
    }
    const missed = (of: string) => found[of]!.filter((isIn) => !isIn).length;
    const [all, sums] = [found.boards!.length, found.total!.length];
    console.log(
      `      outside their interval: ${missed('boards')} of ${all} boards, ${missed('total')} of ${sums} sums`,
    );
    const proven = (of: string) => found[of]!.filter((isIn) => isIn).length;
    console.log(
      `      proven to make money: ${proven('skilled')} of ${FOLLOWED_WORLDS} lists with skill, ` +
        `${proven('unskilled')} of ${sums - FOLLOWED_WORLDS} without`,
    );
    expect(proven('skilled')).to.be.above(FOLLOWED_WORLDS / 2);
    expect(proven('unskilled')).to.be.at.most(sums / 20 + 1);
    // One in twenty may miss; more than one in ten and two are too many.
    expect(missed('boards')).to.be.at.most(all / 10 + 2);
    expect(missed('total')).to.be.at.most(sums / 10 + 2);
  });

  it('is final once all of the month has resolved or was waited for, and stays as it was then', async () => {
    await keep(0, namesOf(world, 'no edge'));
    await night(29);
    expect((await boards())[0]!.result!.isFinal).to.equal(false);
    await night(120);
    const final = (await boards())[0]!.result!;
    expect(final).to.include({ isFinal: true, knownS: dayS(120) });
    const asked: string[] = [];
    const outcomes: Tape['outcomes'] = (...given) => {
      asked.push('outcomes');
      return tape.outcomes(...given);
    };
    await night(121, { tape: { ...tape, outcomes } });
    expect([(await boards())[0]!.result, asked]).to.deep.equal([final, []]);
  });

  it('says how much of a board the tape has not seen, and guesses nothing', async () => {
    await keep(0, namesOf(world, SKILLED));
    const gap = { fromS: dayS(2) - 3_600, toS: dayS(3) - 1 };
    const spans: object[] = [];
    const gapsOf: FollowUpDeps['gapsOf'] = async (span) => {
      spans.push(span);
      return [gap, { fromS: dayS(-9), toS: dayS(0) + 59 }];
    };
    await night(10, { gapsOf });
    expect((await boards())[0]!.result).to.include({ unseenS: DAY_S + 3_600 + 60, isFinal: false });
    expect(spans).to.deep.equal([{ fromS: dayS(0), toS: dayS(10) - 1 }]);
  });

  for (const [what, status, unseenS] of [
    ['begins after the board', { firstFillS: dayS(1), lastFillS: dayS(40) }, DAY_S],
    ['ends before the night', { firstFillS: dayS(-90), lastFillS: dayS(9) - 1 }, DAY_S],
    ['is empty', { firstFillS: null, lastFillS: null }, 10 * DAY_S],
  ] as const) {
    it(`counts as not seen what is missing of a tape that ${what}`, async () => {
      await keep(0, namesOf(world, SKILLED));
      const of = async () => ({ ...(await tape.status()), ...status });
      await night(10, { tape: { ...tape, status: of } });
      expect((await boards())[0]!.result).to.include({ unseenS });
    });
  }

  it('keeps the counts of a tape that has seen more than the one of whoever has the job now', async () => {
    await keep(0, namesOf(world, SKILLED));
    await night(10);
    const before = (await boards())[0]!.result;
    const young: FollowUpDeps['tape'] = {
      async *outcomes() {},
      status: async () => ({ ...(await tape.status()), firstFillS: dayS(10) }),
    };
    await night(11, { tape: young });
    expect((await boards())[0]!.result).to.deep.equal(before);
    await night(12);
    expect((await boards())[0]!.result).to.include({ knownS: dayS(12), unseenS: 0 });
  });

  it('forgets boards of more than 400 days ago, and no others', async () => {
    await keep(-1, []);
    await keep(0, []);
    await night(FOLLOWED_BOARDS_DAYS);
    expect((await boards()).map(({ asOfS }) => asOfS)).to.deep.equal([dayS(0)]);
  });

  it('goes over no tape where there is nobody to follow', async () => {
    await keep(0, []);
    const never: FollowUpDeps['tape'] = {
      outcomes() {
        throw new Error('the tape was asked');
      },
      status: () => tape.status(),
    };
    await night(10, { tape: never });
    expect((await boards())[0]!.result).to.equal(null);
  });

  it('is not written by whoever has lost the job', async () => {
    await keep(0, namesOf(world, SKILLED));
    await store.jobs.release(hold);
    await store.jobs.claim('night', 'b');
    await outsideErrorOf(night(10));
    expect((await boards())[0]!.result).to.equal(null);
  });

  it('is a part of the nightly run, which keeps what it rates COPY', async () => {
    await store.jobs.release(hold);
    const clock = new ManualClock(dayS(0) * 1e3 + 3 * 3_600_000);
    const job = new RatingJob({
      ...{ store, tape, clock, log: silent, config: RATING_CONFIG, jobs: jobOwner(store, clock) },
      refreshMarkets: async () => {},
      gapsOf: async () => [],
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
    });
    for (const day of [0, 1, 9]) {
      clock.advance((dayS(day) + 3 * 3_600) * 1e3 - clock.nowMs());
      await job.run(dayS(day));
    }
    const kept = await boards();
    expect(kept.map(({ asOfS, computedAtMs }) => [asOfS, computedAtMs])).to.deep.equal(
      [0, 1, 9].map((day) => [dayS(day), (dayS(day) + 3 * 3_600) * 1e3]),
    );
    const board = (await store.board())!;
    const newest = kept.at(-1)!;
    expect(newest).to.include({
      ...{ run: board.run, config: board.config, placeboCopies: board.placeboCopies, result: null },
      copies: board.walletsByVerdict.COPY,
    });
    expect(newest.wallets).to.deep.equal(board.leaderboard.slice(0, board.walletsByVerdict.COPY));
    expect(newest.wallets.length).to.be.above(0);
    expect(kept.slice(0, 2).map(({ result }) => result?.knownS)).to.deep.equal([dayS(9), dayS(9)]);
    expect(wrong(world, kept.slice(0, 2))).to.deep.equal([]);
  });
});
