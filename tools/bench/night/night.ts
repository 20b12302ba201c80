import { mkdirSync } from 'node:fs';
import { withDataDir } from '../support/data-dir.js';
import { atMost, type Goal, type Section, show, table } from '../support/report.js';
import { measureNight, type NightCosts, type NightPiece } from './night-run.js';

/** Fills of the tapes; growth is seen only with several. */
const SIZES = (process.env.BENCH_FILLS ?? '1000000,3000000').split(',').map(Number);
/**
 * Kept, so that a run that was ended goes on where it was; without it all is removed at the end.
 */
const { BENCH_DIR } = process.env;

const NAMES: Readonly<Record<NightPiece, string>> = {
  first: 'first compaction of all',
  night: 'the night: a day of fills compacted, rating, placebo, board, names',
  scan: 'scan of the same columns (floor)',
  rate: 'rating of the board alone',
  ratePast: 'rating as of 30 days before',
  late: 'compaction of 5,000 late fills of 60 days',
  merge: 'merge of all into a new base',
  mergedRate: 'rating after the merge',
  mergedRatePast: 'rating as of 30 days before, after the merge',
};

type Sized = readonly [number, NightCosts];

/**
 * Measures what a night costs, on tapes of several sizes, beside a compaction of everything and a
 * scan.
 */
export async function benchNight(): Promise<Section> {
  if (BENCH_DIR === undefined) return withDataDir(measureAll);
  mkdirSync(BENCH_DIR, { recursive: true });
  return measureAll(BENCH_DIR);
}

async function measureAll(fixture: string): Promise<Section> {
  const sized: Sized[] = [];
  for (const fills of SIZES) sized.push([fills, await measureNight(fixture, fills)]);
  const head = ['CPU s · s · peak MB', ...sized.map(([fills]) => `${show(fills)} fills`)];
  const rows = (Object.keys(NAMES) as NightPiece[]).map((piece) => [
    NAMES[piece],
    ...sized.map(([, costs]) => {
      const { cpuSeconds, seconds, peakMegabytes } = costs[piece];
      return `${show(cpuSeconds)} · ${show(seconds)} · ${show(peakMegabytes)}`;
    }),
  ]);
  const compaction = ['of the night: its compaction, CPU s', ...sized.map(([, costs]) => show(compactionOf(costs)))];
  const texts = [
    'Made-up fills in Parquet, 2 threads, each piece of work in a process of its own; the last day is one of 160.',
    table(head, [...rows, compaction]),
  ];
  return {
    title: 'The night',
    texts,
    goals: [
      ...sized
        .at(-1)!
        .slice(1)
        .flatMap((costs) => goalsOf(costs as NightCosts)),
      ...growthGoal(sized),
    ],
  };
}

const compactionOf = ({ night }: NightCosts) => night.compactionCpuSeconds ?? Number.NaN;

/** Of the largest tape. */
function goalsOf(costs: NightCosts): readonly Goal[] {
  const cpu = (piece: NightPiece) => costs[piece].cpuSeconds;
  const goal = (path: string, limit: number, measured: number, unit = 'x'): Goal => ({
    path,
    goal: atMost(limit),
    measured,
    unit,
  });
  return [
    goal('compaction of a day of fills, of one of everything', 0.05, compactionOf(costs) / cpu('merge')),
    goal('compaction of 5,000 late fills of 60 days, of one of everything', 0.1, cpu('late') / cpu('merge')),
    goal('rating beside a day that is not merged', 1.3, cpu('rate') / cpu('mergedRate')),
    goal('rating as of 30 days before, beside it', 1.3, cpu('ratePast') / cpu('mergedRatePast')),
    goal('rating of the board, CPU of a scan of its columns', 10, cpu('rate') / cpu('scan')),
    goal('the night, peak memory', 2_000, costs.night.peakMegabytes, 'MB'),
  ];
}

/**
 * The slope of the line through what the nights took, both in logarithms: 1 is in proportion to the
 * tape.
 */
function growthGoal(sized: readonly Sized[]): readonly Goal[] {
  if (sized.length < 2) return [];
  const points = sized.map(([fills, { night }]) => [Math.log(fills), Math.log(night.cpuSeconds)] as const);
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const slope =
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return [{ path: 'CPU of the night, exponent of its growth', goal: atMost(1.1), measured: slope, unit: '' }];
}
