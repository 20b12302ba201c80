import { join } from 'node:path';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { DAY_S, isoDay } from '#domain/time';
import type { TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import type { TapeFolder } from '../files/folder.js';
import { isImport, type SortedImport } from '../files/imports.js';
import { withTapeLock } from '../files/lock.js';
import { readManifest, type SortedFills, writeManifest } from '../files/manifest.js';
import { listSegments, type Segment, versionsOf } from '../files/segments.js';
import { RANGE_FILLS } from '../sorted/ranges.js';
import { entryCutOffs } from '../sql/entries.js';
import { FILL_COLUMNS } from '../sql/fills.js';
import { sqlFiles, sqlText } from '../sql/sql.js';
import { sortAll } from './base.js';
import type { Exchange } from './exchange.js';
import { mergeMarkets, mergeNames } from './merged-layers.js';
import { generationsOf, removeOutdated } from './outdated.js';
import { mustMerge, RECENT_PCT_MAX, sortRecent } from './recent.js';

/** How a tape is compacted. */
export interface CompactOptions {
  /** Fills beside the base, in percent of it, above which all are merged into a new one. */
  readonly recentPctMax?: number;
  /** Fills of one range, about. */
  readonly rangeFills?: number;
  readonly progress?: TapeProgress | undefined;
}

/**
 * Sorts the fills of all segments that began before the day of `beforeS`, beside what is sorted or
 * together with it, and merges the layers of markets and names. All of it happens when the manifest
 * is replaced; a crash before leaves files that the next compaction removes.
 */
export async function compactTape(
  database: TapeDatabase,
  folder: TapeFolder,
  beforeS: number,
  options: CompactOptions = {},
): Promise<void> {
  await database.session((session) =>
    withTapeLock(session, folder.dir, () => compactLocked(session, folder, beforeS, options)),
  );
}

/**
 * The same with an exchange of imports, which so happens as a whole or not at all; it merges
 * everything.
 */
export async function exchangeImports(
  session: TapeSession,
  folder: TapeFolder,
  exchange: Exchange,
  beforeS: number,
  options: CompactOptions,
): Promise<void> {
  await withTapeLock(session, folder.dir, () => compactLocked(session, folder, beforeS, options, exchange));
}

async function compactLocked(
  session: TapeSession,
  folder: TapeFolder,
  beforeS: number,
  { recentPctMax = RECENT_PCT_MAX, rangeFills = RANGE_FILLS, progress }: CompactOptions,
  exchange?: Exchange,
): Promise<void> {
  const { dir } = folder;
  const before = await removeOutdated(folder, await readManifest(dir));
  const all = await listSegments(dir, before);
  const drops = exchange?.drops ?? (() => false);
  const segments = all.filter(({ day, segment }) => day < isoDay(beforeS) && !drops(segment));
  const dropped = all.filter(({ segment }) => drops(segment));
  const late = sqlLate(folder, segments, exchange);
  const imports = await importsAfter(session, before.imports ?? [], { late, drops, segments, exchange });
  const hasImports = (before.imports ?? []).length > 0 || imports.length > 0;
  const order = {
    ...{ session, folder, late, rangeFills, progress, hasImports },
    dropped: (before.imports ?? []).map(({ name }) => name).filter(drops),
  };
  const sorted =
    segments.length === 0 && exchange === undefined
      ? before.sorted
      : await sortLate(order, before.sorted, exchange === undefined ? recentPctMax : null);
  const throughDay = isoDay(beforeS - DAY_S);
  const markets = await mergeMarkets(session, folder, before.markets, exchange);
  const names = await mergeNames(session, folder, before.names, exchange);
  await writeManifest(folder, {
    sorted: sorted && { ...sorted, throughDay: later(throughDay, before.sorted?.throughDay ?? '') },
    absorbed: [...before.absorbed, ...[...segments, ...dropped].map(({ path }) => path)],
    ...(imports.length === 0 ? {} : { imports }),
    markets: markets.base,
    names: names.base,
    outdated: [
      ...(await outdatedSegments(dir, [...segments, ...dropped])),
      ...(sorted?.ranges === before.sorted?.ranges ? [] : generationsOf(before)),
      ...markets.outdated,
      ...names.outdated,
    ],
  });
}

/**
 * Returns the fills to be sorted in, and of which import each is: a relation of `SOURCED_COLUMNS`.
 */
function sqlLate({ dir }: TapeFolder, segments: readonly Segment[], exchange: Exchange | undefined): string {
  const others = segments.filter(({ segment }) => !isImport(segment)).map(({ path }) => join(dir, path));
  const imported = segments
    .filter(({ segment }) => isImport(segment))
    .map(({ segment, path }) => [segment, sqlFiles([join(dir, path)], FILL_COLUMNS)] as const);
  const added = exchange === undefined ? [] : [[exchange.name, exchange.fills] as const];
  const reported = [...imported, ...added].map(([name, fills]) => `SELECT *, ${sqlText(name)} AS source FROM ${fills}`);
  return `(${[`SELECT *, '' AS source FROM ${sqlFiles(others, FILL_COLUMNS)}`, ...reported].join(' UNION ALL ')})`;
}

interface ImportChanges {
  readonly late: string;
  readonly segments: readonly Segment[];
  readonly drops: (name: string) => boolean;
  readonly exchange: Exchange | undefined;
}

/**
 * Returns the imports that are sorted in afterwards. One without fills leaves nothing to take back.
 */
async function importsAfter(
  session: TapeSession,
  before: readonly SortedImport[],
  { late, segments, drops, exchange }: ImportChanges,
): Promise<readonly SortedImport[]> {
  const remaining = before.filter(({ name }) => !drops(name));
  if (exchange === undefined && !segments.some(({ segment }) => isImport(segment))) return remaining;
  const rows = await session.rows<{ name: string; first: bigint; last: bigint }>(`
    SELECT source AS name, min(time_s) AS first, max(time_s) AS last FROM ${late}
    WHERE source <> '' GROUP BY source ORDER BY source`);
  const added = rows.map(({ name, first, last }) => ({
    ...{ name, firstFillS: Number(first), lastFillS: Number(last) },
  }));
  const again = new Set(added.map(({ name }) => name));
  return [...remaining.filter(({ name }) => !again.has(name)), ...added];
}

type LateOrder = Parameters<typeof sortAll>[0];

/**
 * Returns the sorted fills with the late ones among them. Without `recentPctMax` everything is
 * merged.
 */
async function sortLate(
  order: LateOrder,
  before: SortedFills | null,
  recentPctMax: number | null,
): Promise<Omit<SortedFills, 'throughDay'> | null> {
  if (before !== null && recentPctMax !== null) {
    const lateFills = await countFills(order);
    if (lateFills === 0) return before;
    if (!mustMerge(before, lateFills, recentPctMax)) return sortRecent(order, before);
  }
  return { ...(await sortAll(order, before)), cutOffs: entryCutOffs(RATING_CONFIG) };
}

async function countFills({ session, late }: LateOrder): Promise<number> {
  const [counted] = await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${late}`);
  return Number(counted!.n);
}

/** Earlier versions go first: one that outlived the last would count again. */
async function outdatedSegments(dir: string, segments: readonly Segment[]): Promise<readonly string[]> {
  const versions = await versionsOf(dir, new Set(segments.map(({ segment }) => segment)));
  const last = new Map(segments.map(({ segment, version }) => [segment, version]));
  return versions.filter(({ segment, version }) => version <= last.get(segment)!).map(({ path }) => path);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
