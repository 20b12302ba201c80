import { join } from 'node:path';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import type { TapeFolder } from '../files/folder.js';
import { keepLayerBase, listLayers, sqlLayers } from '../files/layers.js';
import { withTapeLock } from '../files/lock.js';
import { type LayerBase, readManifest, type SortedFills, writeManifest } from '../files/manifest.js';
import { dayOf, listSegments, type Segment, versionsOf } from '../files/segments.js';
import { RANGE_FILLS } from '../sorted/ranges.js';
import { entryCutOffs } from '../sql/entries.js';
import { FILL_COLUMNS } from '../sql/fills.js';
import { MARKET_COLUMNS, MARKET_COLUMNS_ADDED, NAME_COLUMNS, sqlMarkets, sqlNames } from '../sql/markets.js';
import { type SqlColumns, sqlFiles, sqlWrite } from '../sql/sql.js';
import { sortAll } from './base.js';
import { generationsOf, removeOutdated } from './outdated.js';
import { mustMerge, RECENT_PCT_MAX, sortRecent } from './recent.js';

const DAY_S = 86_400;

/** How a tape is compacted. */
export interface CompactOptions {
  /** Fills beside the base, in percent of it, above which all are merged into a new one. */
  readonly recentPctMax?: number;
  /** Fills of one range, about. */
  readonly rangeFills?: number;
  readonly progress?: TapeProgress | undefined;
}

/**
 * Sorts the fills of all segments that began before the day of `beforeS`, beside what is sorted or together with it, and merges
 * the layers of markets and names. All of it happens when the manifest is replaced; a crash before leaves files that the next
 * compaction removes.
 */
export async function compactTape(
  database: TapeDatabase,
  folder: TapeFolder,
  beforeS: number,
  { recentPctMax = RECENT_PCT_MAX, rangeFills = RANGE_FILLS, progress }: CompactOptions = {},
): Promise<void> {
  const { dir } = folder;
  await database.session((session) =>
    withTapeLock(session, dir, async () => {
      const before = await removeOutdated(folder, await readManifest(dir));
      const segments = (await listSegments(dir, before)).filter(({ day }) => day < dayOf(beforeS));
      const order = { session, folder, segments, rangeFills, progress };
      const sorted = await sortSegments(order, before.sorted, recentPctMax);
      const throughDay = dayOf(beforeS - DAY_S);
      const markets = await mergeLayers(session, folder, 'markets', before.markets, MARKETS);
      const names = await mergeLayers(session, folder, 'names', before.names, NAMES);
      await writeManifest(folder, {
        sorted: sorted && { ...sorted, throughDay: later(throughDay, before.sorted?.throughDay ?? '') },
        absorbed: [...before.absorbed, ...segments.map(({ path }) => path)],
        markets: markets.base,
        names: names.base,
        outdated: [
          ...(await outdatedSegments(dir, segments)),
          ...(sorted?.ranges === before.sorted?.ranges ? [] : generationsOf(before)),
          ...markets.outdated,
          ...names.outdated,
        ],
      });
    }),
  );
}

type SegmentOrder = Parameters<typeof sortAll>[0];

/** Returns the sorted fills with those of the segments among them. */
async function sortSegments(
  order: SegmentOrder,
  before: SortedFills | null,
  recentPctMax: number,
): Promise<Omit<SortedFills, 'throughDay'> | null> {
  if (order.segments.length === 0) return before;
  if (before !== null) {
    const lateFills = await countFills(order);
    if (lateFills === 0) return before;
    if (!mustMerge(before, lateFills, recentPctMax)) return sortRecent(order, before);
  }
  return { ...(await sortAll(order, before)), cutOffs: entryCutOffs(RATING_CONFIG) };
}

async function countFills({ session, folder, segments }: SegmentOrder): Promise<number> {
  const paths = segments.map(({ path }) => join(folder.dir, path));
  const [counted] = await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${sqlFiles(paths, FILL_COLUMNS)}`);
  return Number(counted!.n);
}

/** How rows of one kind lie in layers, and how those of one key become one. */
interface LayerKind {
  readonly columns: SqlColumns;
  readonly added?: readonly string[];
  readonly sqlMerged: (layers: string) => string;
}

const MARKETS: LayerKind = { columns: MARKET_COLUMNS, added: MARKET_COLUMNS_ADDED, sqlMerged: sqlMarkets };
const NAMES: LayerKind = { columns: NAME_COLUMNS, sqlMerged: sqlNames };

/** Merged rows keep their order in no sense but that they are below all that follows. */
async function mergeLayers(
  session: TapeSession,
  folder: TapeFolder,
  place: string,
  base: LayerBase | null,
  { columns, added, sqlMerged }: LayerKind,
): Promise<{ readonly base: LayerBase | null; readonly outdated: readonly string[] }> {
  const layers = await listLayers(folder.dir, place, base);
  if (layers.files.every((file) => file === base?.file)) return { base, outdated: [] };
  const key = Object.keys(columns)[0]!;
  const merged = `SELECT *, 0::BIGINT AS ordinal FROM (${sqlMerged(sqlLayers(folder.dir, layers, columns, added))}) ORDER BY ${key}`;
  const next = await keepLayerBase(folder, place, layers, (path) => session.run(sqlWrite(merged, path)));
  return { base: { ...next, merged: [...(base?.merged ?? []), ...next.merged] }, outdated: next.merged };
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
