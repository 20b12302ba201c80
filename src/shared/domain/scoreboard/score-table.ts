import { quantileCents } from './cents-bins.js';
import { clusteredInterval, type GroupCount, type Interval, wilsonInterval } from './intervals.js';
import { SCORE_EVENTS, type ScoreCell, type ScoreDay, type ScoreEvent } from './score-day.js';
import { type Horizon, type ScoredVerdict, type ScoreKey, scoreKeyText } from './score-key.js';

/** The row of a table that has all categories together. */
const ALL_CATEGORIES = 'all';

/** How often something happened. */
export interface ScoreRate {
  readonly n: number;
  readonly hits: number;
  readonly rate: number;
  /** As if all orders were independent. */
  readonly wilson: Interval;
  /** With markets as clusters; null: they show no spread. */
  readonly clustered: Interval | null;
}

/** What became of the orders of one key. */
export interface ScoreRow extends ScoreKey {
  readonly n: number;
  readonly unseen: number;
  /** Groups of markets that the orders are of. */
  readonly groups: number;
  /** null: no order was priced again. */
  readonly rates: Readonly<Record<ScoreEvent, ScoreRate>> | null;
  readonly worstCents: number | null;
  /** Quantiles are rounded up to the end of a bin, and never above the worst. */
  readonly medianCents: number | null;
  readonly p95Cents: number | null;
}

/** Returns the rows of a day, or of days together, and for all categories together those of each key. */
export function toScoreTable({ cells }: Pick<ScoreDay, 'cells'>): readonly ScoreRow[] {
  const byKey = new Map<string, ScoreCell[]>();
  for (const cell of cells) {
    for (const category of [ALL_CATEGORIES, cell.category]) {
      const key = scoreKeyText({ ...cell, category });
      byKey.set(key, [...(byKey.get(key) ?? []), { ...cell, category }]);
    }
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => toRow(of));
}

/** Returns the rate of an event in cells, whose groups are put together; null: of no orders. */
export function scoreRateOf(cells: readonly ScoreCell[], event: ScoreEvent): ScoreRate | null {
  return rateOf(groupSums(cells), event);
}

/** Returns how many orders of a verdict were priced again at a horizon, and how often an event was. */
export function countsOf(
  { cells }: Pick<ScoreDay, 'cells'>,
  verdict: ScoredVerdict,
  horizon: Horizon,
  event: ScoreEvent,
): GroupCount {
  const sums = [...groupSums(cells.filter((cell) => cell.verdict === verdict && cell.horizon === horizon)).values()];
  const [n, hits] = [0, placeOf(event)].map((at) => sums.reduce((sum, counts) => sum + counts[at]!, 0));
  return { n: n!, hits: hits! };
}

function toRow(cells: readonly ScoreCell[]): ScoreRow {
  const { verdict, usd, horizon, category } = cells[0]!;
  const sums = groupSums(cells);
  const n = [...sums.values()].reduce((sum, counts) => sum + counts[0]!, 0);
  const bins = new Map<number, number>();
  for (const cell of cells) for (const [bin, count] of cell.bins) bins.set(bin, (bins.get(bin) ?? 0) + count);
  const worstCents = Math.max(...cells.map(({ worstMicros }) => worstMicros)) / 1e4;
  // A bin is counted by its upper end, which may lie above all orders that are in it.
  const quantile = (part: number) => {
    const cents = quantileCents(bins, part);
    return cents === null ? null : Math.min(cents, worstCents);
  };
  const rates = Object.fromEntries(SCORE_EVENTS.map((event) => [event, rateOf(sums, event)]));
  return {
    ...{ verdict, usd, horizon, category, n },
    unseen: cells.reduce((sum, cell) => sum + cell.unseen, 0),
    groups: sums.size,
    rates: n === 0 ? null : (rates as Record<ScoreEvent, ScoreRate>),
    worstCents: n === 0 ? null : worstCents,
    medianCents: quantile(0.5),
    p95Cents: quantile(0.95),
  };
}

function rateOf(sums: ReadonlyMap<number, readonly number[]>, event: ScoreEvent): ScoreRate | null {
  const groups = [...sums.values()].map((counts) => ({ n: counts[0]!, hits: counts[placeOf(event)]! }));
  const n = groups.reduce((sum, group) => sum + group.n, 0);
  const hits = groups.reduce((sum, group) => sum + group.hits, 0);
  const wilson = wilsonInterval(hits, n);
  return wilson === null ? null : { n, hits, rate: hits / n, wilson, clustered: clusteredInterval(groups) };
}

/** Behind the number of orders. */
function placeOf(event: ScoreEvent): number {
  return 1 + SCORE_EVENTS.indexOf(event);
}

function groupSums(cells: readonly ScoreCell[]): ReadonlyMap<number, readonly number[]> {
  const sums = new Map<number, readonly number[]>();
  for (const { groups } of cells) {
    for (const [group, counts] of groups) {
      const before = sums.get(group);
      sums.set(group, before === undefined ? counts : before.map((sum, at) => sum + counts[at]!));
    }
  }
  return sums;
}
