import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../source-tree.js';
import { type Family, labelsOf } from './exposition.js';

/** One row of the table of docs/operate.md, "Metrics". */
export interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** Returns the rows of the table. */
export function metricsTable(): readonly TableRow[] {
  const page = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
  const [, section = ''] = /^## Metrics$([\s\S]*?)^## /m.exec(page) ?? [];
  return [...section.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \| (.*) \|$/gm)].map(
    ([, name = '', type = '', unit = '', labels = '', meaning = '']) => {
      const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label!);
      return { name, type, unit: unit.trim(), labels: names.sort(), meaning };
    },
  );
}

/** Whether a metric is the service's own: prom-client documents the others. */
export const isOwn = ({ name }: Pick<Family, 'name'>): boolean => name.startsWith('preflight_');

/** Returns what the row of a metric has to be. */
export function rowOf(family: Family): TableRow {
  const { name, type, help } = family;
  return { name, type, unit: unitOf(family), labels: labelsOf(family), meaning: help };
}

/** By its name, as all who read Prometheus do. */
function unitOf({ name, help }: Family): string {
  if (name.endsWith('_info')) return 'always 1';
  if (name.endsWith('_timestamp_seconds') || name === 'process_start_time_seconds') return 'seconds since 1970';
  const unit = { seconds: 'seconds', bytes: 'bytes', usdc: 'USDC' }[/_([a-z]+)(?:_total)?$/.exec(name)?.[1] ?? ''];
  return unit ?? (help.startsWith('1 if') ? '0 or 1' : 'count');
}
