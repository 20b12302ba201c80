import { join } from 'node:path';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { HistoryFormat, Tape } from '#ports/tape';
import { type BacktestDeps, type BacktestOrder, runBacktest } from '#services/ratings/backtest/backtest';
import { backtestCsv } from '#services/ratings/backtest/csv';
import type { BacktestReport } from '#services/ratings/backtest/report';
import { differences, expectedBoard, rateAll } from '#test/server/adapters/support/tape-checks';
import { type HistoryFiles, writeHistory } from '#test/support/history-files';
import { type HistoryWorld, makeHistoryWorld } from '#test/support/history-world';
import { ManualClock } from '#test/support/manual-clock';
import { plantedTruth, reportedFills, reportedMarkets } from '#test/support/planted-backtest';
import { rejectionOf } from '#test/support/promises';
import { BACKTEST_SEEDS } from '#test/support/size';
import { tempFolder } from '#test/support/temp-folder';
import { AS_OF_S, DAY_S, TAPE_END_S } from '#tools/bench/skill/calendar';

const sizeOf = (seed: number) => ({
  seed,
  eventsPerDay: 6,
  wallets: [
    { name: 'no edge', count: 8, entriesMedian: 50 },
    { name: 'poor (-1.5c)', count: 4, entriesMedian: 50 },
    { name: 'skilled +15c', count: 4, entriesMedian: 120 },
  ],
});
const FIRST_SEED = 43;
/** The tape begins 120 days before this moment: the whole window of the first date is seen. */
const ORDER: BacktestOrder = { fromS: AS_OF_S - 28 * DAY_S, toS: AS_OF_S + 28 * DAY_S, everyS: 28 * DAY_S };
const DATES = [ORDER.fromS, AS_OF_S, ORDER.toS];

describe('backtest', function () {
  this.timeout(60_000 * BACKTEST_SEEDS);
  let dir: string;
  let world: HistoryWorld;
  let files: HistoryFiles;
  let tape: Tape;
  /** The first run is stopped after one date, the second one goes on. */
  let stopped: BacktestReport;
  let report: BacktestReport;
  /** Dates that were rated, and how far the second run said it was. */
  const requested: number[] = [];
  const parts: number[] = [];
  const tapes: Tape[] = [];

  async function imported(format: HistoryFormat, from: HistoryFiles): Promise<Tape> {
    const opened = await openTape({ dir: join(dir, `tape-${tapes.length}`) });
    tapes.push(opened);
    const paths = format === 'orderfilled' ? from.orderfilled : from.users;
    await opened.importHistory({ format, files: paths, tokens: { tables: from.tables }, nowS: TAPE_END_S });
    return opened;
  }
  const counted = (on: Tape): Tape => ({
    ...on,
    rateAll: (asOfS, config, options) => {
      if (options?.placeboSeed === undefined) requested.push(asOfS);
      return on.rateAll(asOfS, config, options);
    },
  });
  const depsOf = (on: BacktestDeps['tape']): BacktestDeps => ({
    ...{ tape: on, gapsOf: async () => [], config: RATING_CONFIG },
    clock: new ManualClock(TAPE_END_S * 1e3),
  });

  before(async () => {
    dir = tempFolder('backtest');
    world = makeHistoryWorld(sizeOf(FIRST_SEED));
    files = await writeHistory(world, dir, 400);
    tape = await imported('polymarket-users', files);
    const stopping = new AbortController();
    const stop = (part: number) => part >= 1 / DATES.length && stopping.abort();
    stopped = await runBacktest(depsOf(counted(tape)), ORDER, { signal: stopping.signal, progress: stop });
    report = await runBacktest(depsOf(counted(tape)), ORDER, { progress: (part) => parts.push(part) });
  });
  after(async () => {
    for (const one of tapes) await one.close();
  });

  /**
   * Returns for each verdict whether its planted return lies in its interval, after comparing all
   * that is certain.
   */
  function planted(of: HistoryWorld, { total, knownS }: BacktestReport): readonly boolean[] {
    const truth = plantedTruth(of, DATES, ORDER.everyS, knownS);
    return (['COPY', 'WATCH', 'VETO'] as const).map((verdict) => {
      const { wallets, entries, expectedRoi, realisedRoi } = truth.get(verdict)!;
      const { result, wallets: perDate } = total.find(({ group }) => group === verdict)!;
      expect([Math.round(perDate * DATES.length), result.entries], verdict).to.deep.equal([wallets, entries]);
      expect(result.roi, verdict).to.be.closeTo(realisedRoi, 1e-6);
      return result.low! <= expectedRoi && expectedRoi <= result.high!;
    });
  }

  it('finds of every verdict what was planted, within its interval', async () => {
    expect(planted(world, report)).to.deep.equal([true, true, true]);
    const copy = report.total[0]!;
    expect(copy.result.low).to.be.above(0);
    const found: boolean[] = [];
    for (let seed = FIRST_SEED + 1; seed < FIRST_SEED + BACKTEST_SEEDS; seed++) {
      const other = makeHistoryWorld(sizeOf(seed));
      const format = seed % 2 === 0 ? 'orderfilled' : 'polymarket-users';
      const on = await imported(format, await writeHistory(other, join(dir, String(seed)), 30));
      found.push(...planted(other, await runBacktest(depsOf(on), ORDER)));
    }
    if (found.length > 0) console.log(`      ${found.filter(Boolean).length} of ${found.length} within their interval`);
    // An interval of 95 % may miss one in twenty; of 33 more than 5 by chance once in a thousand.
    expect(found.filter((isIn) => !isIn).length).to.be.at.most(5);
  });

  it('says the same of the same world in the other form', async () => {
    const other = await runBacktest(depsOf(await imported('orderfilled', files)), { ...ORDER, toS: ORDER.fromS });
    // Events are named by hashes of texts that both forms have.
    expect(other.dates).to.have.length(1);
    expect(other.dates[0]!.verdicts).to.deep.equal(report.dates[0]!.verdicts);
    for (const [i, row] of other.dates[0]!.rows.entries()) {
      expect({ ...row, ...NO_MONTH }).to.deep.equal({ ...report.dates[0]!.rows[i]!, ...NO_MONTH });
    }
  });
  const NO_MONTH = { copiesAMonthAgo: null, stillCopy: null };

  it('is the rating as it would have been: a tape that ends at the date says the same', async () => {
    const board = await rateAll(tape, AS_OF_S);
    const sawOnly = expectedBoard(...asOf(world, AS_OF_S));
    const own = new Set(world.wallets.map(({ wallet }) => wallet));
    expect(
      differences(
        board.filter(({ wallet }) => own.has(wallet)),
        sawOnly,
      ),
    ).to.deep.equal([]);
  });

  /** What was there at a moment, and nothing else. */
  function asOf(of: HistoryWorld, asOfS: number) {
    const fills = reportedFills(of).filter(({ timeS }) => timeS < asOfS);
    const markets = [...reportedMarkets(of).values()].map((market) =>
      market.resolvedAtS! <= asOfS ? market : { ...market, resolvedAtS: null, payoutMicros: null },
    );
    return [fills, new Map(markets.map((market) => [market.condition, market])), asOfS] as const;
  }

  describe('with look-ahead planted', () => {
    const differs = async (leaky: Tape) => {
      const own = new Set(world.wallets.map(({ wallet }) => wallet));
      const board = (await rateAll(leaky, AS_OF_S)).filter(({ wallet }) => own.has(wallet));
      return differences(board, expectedBoard(...asOf(world, AS_OF_S))).length > 0;
    };

    it('is caught where results are known before they were', async () => {
      const leaky = await openTape({ dir: join(dir, 'leaky') });
      tapes.push(leaky);
      await leaky.addFills('all', reportedFills(world));
      // As a data set would be that gives the end of each market in the place of its result.
      await leaky.addRows(
        'markets',
        [...reportedMarkets(world).values()].map((market) => ({ ...market, resolvedAtS: AS_OF_S - 1 })),
      );
      expect(await differs(leaky)).to.equal(true);
    });

    it('is caught where trades of after the date are seen, and no report is made', async () => {
      const leaky: Tape = { ...tape, rateAll: (asOfS, ...more) => tape.rateAll(asOfS + 3 * DAY_S, ...more) };
      expect(await differs(leaky)).to.equal(true);
      const error = await runBacktest(depsOf(leaky), { ...ORDER, everyS: 27 * DAY_S }).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(
        /the rating of 2026-\d\d-\d\d has seen a trade of .*: this backtest is worth nothing/,
      );
    });
  });

  it('goes on with the date that was not done, and takes the others as they were', async () => {
    expect([stopped.isComplete, stopped.dates.length, requested]).to.deep.equal([false, 1, DATES]);
    expect(report.isComplete).to.equal(true);
    expect(parts).to.deep.equal(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).to.equal(1);
    expect((await runBacktest(depsOf(counted(tape)), ORDER)).total).to.deep.equal(report.total);
    expect(requested).to.deep.equal(DATES);
  });

  it('begins anew where the rules have changed', async () => {
    const stricter = { ...depsOf(counted(tape)), config: { ...RATING_CONFIG, windowZMin: 9 } };
    const strict = await runBacktest(stricter, { ...ORDER, toS: ORDER.fromS });
    expect(requested).to.deep.equal([...DATES, ORDER.fromS]);
    expect(strict.dates[0]!.verdicts.COPY).to.equal(0);
  });

  it('counts how many COPY are still COPY about a month later, and follows nobody beyond what is known', () => {
    const [first, , last] = report.dates as [BacktestReport['dates'][0], unknown, BacktestReport['dates'][0]];
    const row = first.rows[0]!;
    expect(row.copiesAMonthAgo).to.equal(first.verdicts.COPY);
    expect(row.stillCopy).to.be.within(0, 1);
    expect(last.rows[0]!.copiesAMonthAgo).to.equal(null);
    expect(report.total[0]!.copiesAMonthAgo).to.equal(first.verdicts.COPY + report.dates[1]!.verdicts.COPY);
    expect(report.knownS).to.be.at.most(TAPE_END_S);
    expect(last.toS).to.be.at.most(report.knownS);
  });

  it('writes every group of every date as CSV, and of all', () => {
    const lines = [...backtestCsv(report)];
    const [head, ...rows] = lines.map((line) => line.trimEnd());
    expect(head).to.equal(
      'date,group,wallets,entries,events,roi_pct,ci_low_pct,ci_high_pct,pending,all_entries,all_roi_pct,copies_with_a_month_after,still_copy_pct',
    );
    expect(rows).to.have.length(7 * (DATES.length + 1));
    expect(rows[0]).to.match(/^2026-06-01,"COPY",\d+,\d+,\d+,-?\d/);
    expect(rows.at(-1)).to.match(/^all,"placebo COPY",/);
  });

  it('refuses what cannot be tried', async () => {
    const late = { ...ORDER, fromS: TAPE_END_S, toS: TAPE_END_S };
    expect((await rejectionOf(runBacktest(depsOf(tape), late))).message).to.match(
      /There is nothing to try: the tape ends on .*--from must lie before/,
    );
    const often = { fromS: 0, toS: AS_OF_S, everyS: DAY_S };
    expect((await rejectionOf(runBacktest(depsOf(tape), often))).message).to.include('1000 dates');
  });
});
