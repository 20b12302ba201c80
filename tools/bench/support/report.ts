/** A goal of the project beside what was measured for it in this run. */
export interface Goal {
  readonly path: string;
  readonly goal: Limit;
  readonly measured: number;
  /** How the numbers are written: "x" for ratios, else a unit such as "ms". */
  readonly unit: string;
}

export interface Limit {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

/**
 * The part of the report that one benchmark writes: Markdown texts in order, and the goals it has
 * measured.
 */
export interface Section {
  readonly title: string;
  readonly texts: readonly string[];
  readonly goals: readonly Goal[];
}

export const atLeast = (value: number): Limit => ({ kind: 'at least', value });
export const atMost = (value: number): Limit => ({ kind: 'at most', value });

/** Returns a number with as many digits as a reader needs: three that matter, thousands grouped. */
export function show(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const places = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(places, 3) });
}

/**
 * Returns a Markdown table whose columns are aligned in plain text too: the first to the left, the
 * others to the right.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(3, ...[name, ...rows.map((row) => row[column]!)].map(widthOf)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => padded(cell, widths[at]!, at)).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Returns the table of goals, each met or not. */
export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map(({ path, goal, measured, unit }) => [
    path,
    withUnit(show(measured), unit),
    describe(goal, unit),
    isMet(goal, measured) ? 'met' : 'NOT MET',
  ]);
  return table(['path', 'measured', 'goal', 'result'], rows);
}

export function isMet({ kind, value }: Limit, measured: number): boolean {
  return kind === 'at least' ? measured >= value : measured <= value;
}

function describe({ kind, value }: Limit, unit: string): string {
  return `${kind} ${withUnit(show(value), unit)}`;
}

function withUnit(text: string, unit: string): string {
  return `${text} ${unit}`;
}

function padded(cell: string, width: number, column: number): string {
  const gap = ' '.repeat(width - widthOf(cell));
  return column === 0 ? cell + gap : gap + cell;
}

function widthOf(text: string): number {
  return [...text].length;
}
