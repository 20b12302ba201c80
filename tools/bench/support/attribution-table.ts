import { scaledTo } from './profile-parts.js';
import type { Profiled } from './profiled.js';
import { show, table } from './report.js';

const TOTAL = 'all threads';
const OTHERS = 'other threads';
const REST = 'ours: the rest';
/** Rooms with less in every column are told together. */
const PART_MIN = 0.01;

/** CPU µs of one call, by what they are spent in; the rows add up to the total. */
export type Column = ReadonlyMap<string, number>;

/** Returns where the CPU of so many requests went, which took `cpuMicros` each. */
export function columnOf({ mainMicros, parts }: Profiled, cpuMicros: number, requests: number): Column {
  const onClock = parts.reduce((sum, [, micros]) => sum + micros, 0);
  const main = Math.min(cpuMicros, (mainMicros ?? onClock) / requests);
  return new Map([...scaledTo(new Map(parts), main), [OTHERS, cpuMicros - main], [TOTAL, cpuMicros]]);
}

/** Returns the same columns with the small rooms in one row. */
function gathered(columns: readonly Column[]): readonly Column[] {
  const isSmall = (name: string) =>
    name.startsWith('ours: ') && columns.every((column) => (column.get(name) ?? 0) < column.get(TOTAL)! * PART_MIN);
  return columns.map((column) => {
    const whole = new Map([[REST, 0]]);
    for (const [name, micros] of column) {
      const row = isSmall(name) ? REST : name;
      whole.set(row, (whole.get(row) ?? 0) + micros);
    }
    return whole;
  });
}

/**
 * Returns the columns under their heads: the largest part of the last column first, the total last.
 */
export function attributionTable(heads: readonly string[], all: readonly Column[]): string {
  const columns = gathered(all);
  const last = columns.at(-1)!;
  const names = [...last.keys()].filter((name) => name !== TOTAL);
  names.sort((a, b) => (last.get(b) ?? 0) - (last.get(a) ?? 0));
  const cell = (column: Column, name: string) => {
    const micros = column.get(name) ?? 0;
    return `${show(micros)} · ${Math.round((micros / column.get(TOTAL)!) * 100)} %`;
  };
  const rows = [...names, TOTAL].map((name) => [name, ...columns.map((column) => cell(column, name))]);
  return table(['CPU µs · share', ...heads], rows);
}
