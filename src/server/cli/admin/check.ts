import type { Command } from 'commander';
import type { StoreLocation } from '#compose/credits';
import { hasRatings, openRatingsOf } from '#compose/ratings';
import type { StoreFault } from '#domain/integrity/fault';
import type { RatingsStore } from '#ports/ratings-store';
import { checkStore, type IntegrityReport } from '#services/integrity/check';
import { withProgress } from '../tape/progress.js';
import { type AdminOptions, locationOf, type Report, readAdmin, withAdminOptions } from './run.js';
import { table } from './table.js';

/** Kinds of rows that are looked at, one after the other. */
const KINDS = 14;

/** Adds `check`, to `store` and to `admin`. */
export function addCheckCommand(parent: Command): void {
  withAdminOptions(parent.command('check'))
    .description('read every row and name each that contradicts another; exit code 1 if any does; the service may run')
    .action((options: AdminOptions) => check(options));
}

function check(options: AdminOptions): Promise<void> {
  return readAdmin(options, async ({ store, clock }): Promise<Report> => {
    const ratings = await ratingsOf(locationOf(options));
    const seen = new Set<string>();
    const report = await withProgress(clock, (shown) =>
      checkStore({ store, ratings }, (kind, rows) => {
        seen.add(kind);
        shown.update('checking', seen.size - 1, KINDS, `${rows} ${kind}`);
      }),
    ).finally(() => ratings?.close());
    return { json: reportJson(report), text: reportText(report), isDone: report.faultsFound === 0 };
  });
}

/** null: nothing was ever rated there. */
async function ratingsOf(location: StoreLocation): Promise<RatingsStore | null> {
  if (location.storeUrl === null && !hasRatings(location.dataDir)) return null;
  return (await openRatingsOf(location)).store;
}

function reportJson({ rows, faults, faultsFound }: IntegrityReport): Report['json'] {
  return { sound: faultsFound === 0, rows, faults_found: faultsFound, faults };
}

function reportText({ rows, faults, faultsFound }: IntegrityReport): string {
  const seen = Object.entries(rows).map(([kind, count]) => [kind, String(count)]);
  const all = table(['CHECKED', 'ROWS'], seen);
  if (faultsFound === 0) return `${all}\n\nno fault was found`;
  const list = table(['FAULT', 'WHAT', 'DO'], faults.map(cells));
  const more = faultsFound > faults.length ? ` (the first ${faults.length} are shown)` : '';
  return `${all}\n\n${list}\n\n${faultsFound} ${faultsFound === 1 ? 'fault was' : 'faults were'} found${more}`;
}

function cells({ where, what, remedy }: StoreFault): readonly string[] {
  return [where, what, remedy];
}
