import type { EngineCost, EngineOptions } from './ratings-engine-child.js';
import { startChild } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atMost, type Section, show, table } from './support/report.js';
import { interleave, median, medianRatio } from './support/rounds.js';

const CHILD = new URL('./ratings-engine-child.js', import.meta.url);

/**
 * BENCH_FILLS=50000000 measures the size that the goals are meant for; that takes half an hour and
 * 15 GB of disk.
 */
const FILLS = Number(process.env.BENCH_FILLS ?? 5_000_000);
const ROUNDS = 3;

const SCAN = 'scan of the same columns (floor)';
const RATE = 'rating of the whole board';

/** Measures a rating of all wallets beside the least that DuckDB can do: read the columns. */
export function benchRatingsEngine(): Promise<Section> {
  return withDataDir(async (dir) => {
    const ask = (question: string) => askChild({ dir, fills: FILLS }, question);
    const made = await ask('make');
    const compacted = await ask('compact');
    const results = await interleave(
      `ratings engine, ${FILLS} fills`,
      [
        { name: SCAN, run: () => ask('scan') },
        { name: RATE, run: () => ask('rate') },
        { name: 'the fills of one wallet', run: () => ask('findWallet') },
      ],
      ROUNDS,
    );
    const costs = [['made', [made]], ['compaction', [compacted]], ...results] as [string, readonly EngineCost[]][];
    return section(costs, results);
  });
}

async function askChild(options: EngineOptions, question: string): Promise<EngineCost> {
  const child = await startChild(CHILD, options);
  try {
    return (await child.ask(question)) as EngineCost;
  } finally {
    await child.stop();
  }
}

function section(
  costs: readonly (readonly [string, readonly EngineCost[]])[],
  results: ReadonlyMap<string, readonly EngineCost[]>,
): Section {
  const rows = costs.map(([name, all]) => [
    name,
    show(median(all.map(({ seconds }) => seconds))),
    show(Math.max(...all.map(({ peakMegabytes }) => peakMegabytes))),
    show(all[0]!.count),
  ]);
  const rating = results.get(RATE)!;
  const size = `${show(FILLS)} fills`;
  return {
    title: 'Ratings engine',
    texts: [
      `${size} of made-up wallets in Parquet, 2 threads, each piece of work in a process of its own.`,
      table(['', 'seconds', 'peak MB', 'fills or wallets'], rows),
    ],
    goals: [
      {
        path: `rating of the whole board, ${size}, of the scan`,
        goal: atMost(10),
        measured: medianRatio(rating, results.get(SCAN)!, ({ seconds }) => seconds),
        unit: 'x',
      },
      {
        path: `peak memory of that rating`,
        goal: atMost(2_000),
        measured: Math.max(...rating.map(({ peakMegabytes }) => peakMegabytes)),
        unit: 'MB',
      },
    ],
  };
}
