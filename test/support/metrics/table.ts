import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../source-tree.js';
import { type Family, labelsOf } from './exposition.js';

/** One row of the table of deploy/metrics.md. */
export interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** Returns the rows of the table. */
export function metricsTable(): readonly TableRow[] {
  const page = readFileSync(join(ROOT, 'deploy/metrics.md'), 'utf8');
  return [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \| (.*) \|$/gm)].map(
    ([, name = '', type = '', labels = '', meaning = '']) => {
      const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label!);
      return { name, type, labels: names.sort(), meaning };
    },
  );
}

/** Whether a metric is the service's own: prom-client documents the others. */
export const isOwn = ({ name }: Pick<Family, 'name'>): boolean => name.startsWith('preflight_');

/** Returns what the row of a metric has to be. */
export function rowOf(family: Family): TableRow {
  const { name, type, help } = family;
  return { name, type, labels: labelsOf(family), meaning: help };
}
