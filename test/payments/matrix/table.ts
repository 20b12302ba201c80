import { canMeet, ROWS, type Row } from './cells.js';
import { FAULT_COLUMNS, FAULT_GROUPS, type Fault, type FaultGroup } from './faults.js';
import type { Played } from './runner.js';

const CANNOT_MEET = '·';

/**
 * Returns the matrix as one table per group of faults: crash points down, faults across, the
 * outcome in each cell.
 */
export function matrixTables(played: readonly Played[]): string {
  return (Object.keys(FAULT_GROUPS) as FaultGroup[])
    .map((group) => {
      const faults = FAULT_COLUMNS.filter((fault) => fault.group === group);
      const rows = ROWS.map((row) => [row, ...faults.map((fault) => cellText(played, row, fault))]);
      return `${FAULT_GROUPS[group]}\n${toTable([['', ...faults.map(({ name }) => name)], ...rows])}`;
    })
    .join('\n\n');
}

/**
 * One outcome where all variants agree; how many were played, if more than one; and a mark where a
 * promise was broken.
 */
function cellText(played: readonly Played[], row: Row, fault: Fault): string {
  if (!canMeet(row, fault)) return CANNOT_MEET;
  const here = played.filter(({ cell }) => cell.fault === fault && (cell.crashes[0] ?? 'no crash') === row);
  const outcomes = [...new Set(here.map(({ outcome }) => outcome))].join('/');
  const mark = here.some(({ breaches }) => breaches.length > 0) ? ' !!' : '';
  return `${outcomes}${here.length > 1 ? ` ×${here.length}` : ''}${mark}`;
}

/**
 * Returns where the processes of double crashes died: the first death down, the second across, the
 * outcome where it came.
 */
export function deathsTable(played: readonly Played[]): string {
  const firsts = [...new Set(played.map(({ cell }) => cell.crashes[0]!))];
  const seconds = [...new Set(played.map(({ cell }) => cell.crashes[1]!))];
  const textOf = (first: string, second: string) => {
    const found = played.find(({ cell }) => cell.crashes[0] === first && cell.crashes[1] === second);
    if (found === undefined) return CANNOT_MEET;
    const mark = found.breaches.length > 0 ? ' !!' : '';
    return (found.deaths.length === 2 ? found.outcome : `(${found.outcome})`) + mark;
  };
  const rows = firsts.map((first) => [first, ...seconds.map((second) => textOf(first, second))]);
  return `(…): the recovery does not come to the second point\n${toTable([['', ...seconds], ...rows])}`;
}

/** Returns lines of columns that are as wide as their widest text. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns how many cells had which outcome, in one line. */
export function totals(played: readonly Played[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of played) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const deaths = played.reduce((sum, each) => sum + each.deaths.length, 0);
  const broken = played.filter(({ breaches }) => breaches.length > 0).length;
  const outcomes = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
  return `${played.length} cells: ${outcomes}; ${deaths} deaths at crash points; ${broken} cells with a broken promise`;
}
