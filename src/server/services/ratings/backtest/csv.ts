import { isoDay } from '#domain/time';
import type { BacktestReport, BacktestRow } from './report.js';

type Cell = string | number | null;

const COLUMNS: Readonly<Record<string, (row: BacktestRow) => Cell>> = {
  wallets: ({ wallets }) => round(wallets),
  entries: ({ result }) => result.entries,
  events: ({ result }) => result.events,
  roi_pct: ({ result }) => percent(result.roi),
  ci_low_pct: ({ result }) => percent(result.low),
  ci_high_pct: ({ result }) => percent(result.high),
  pending: ({ pending }) => pending,
  all_entries: ({ allEntries }) => allEntries,
  all_roi_pct: ({ allRoi }) => percent(allRoi),
  copies_with_a_month_after: ({ copiesAMonthAgo }) => copiesAMonthAgo,
  still_copy_pct: ({ stillCopy }) => percent(stillCopy),
};

/** Returns the figures of a row by their names. */
export function toFigures(row: BacktestRow): Readonly<Record<string, Cell>> {
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(row)]));
}

/** Returns the lines of a backtest as CSV: each group on each date, then on all of them ("all"). */
export function* backtestCsv({ dates, total }: BacktestReport): Iterable<string> {
  yield `${['date', 'group', ...Object.keys(COLUMNS)].join(',')}\n`;
  for (const { asOfS, rows } of dates) for (const row of rows) yield toLine(isoDay(asOfS), row);
  for (const row of total) yield toLine('all', row);
}

function toLine(date: string, row: BacktestRow): string {
  // The names of some rules have a comma.
  const cells = [date, `"${row.group}"`, ...Object.values(toFigures(row)).map((cell) => cell ?? '')];
  return `${cells.join(',')}\n`;
}

function percent(fraction: number | null): number | null {
  return fraction === null ? null : round(fraction * 100);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
