import { join } from 'node:path';
import type { TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import type { TapeFolder } from '../files/folder.js';
import { keepLayerBase, listLayers, sqlLayers } from '../files/layers.js';
import { withTapeLock } from '../files/lock.js';
import { type LayerBase, readManifest, type TapeManifest, writeManifest } from '../files/manifest.js';
import { dayOf, listSegments, type Segment, versionsOf } from '../files/segments.js';
import { MARKET_COLUMNS, MARKET_COLUMNS_ADDED, NAME_COLUMNS, sqlMarkets, sqlNames } from '../sql/markets.js';
import { type SqlColumns, sqlWrite } from '../sql/sql.js';
import { removeOutdated } from './outdated.js';
import { sortFills } from './sorting.js';

const DAY_S = 86_400;

/**
 * Rewrites the sorted fills together with all segments that began before the day of `beforeS`, and merges the layers of markets
 * and names. All of it happens when the manifest is replaced; a crash before leaves files that the next compaction removes.
 */
export async function compactTape(
  database: TapeDatabase,
  folder: TapeFolder,
  beforeS: number,
  progress?: TapeProgress,
): Promise<void> {
  const { dir } = folder;
  await database.session((session) =>
    withTapeLock(session, dir, async () => {
      const before = await removeOutdated(folder, await readManifest(dir));
      const segments = (await listSegments(dir, before)).filter(({ day }) => day < dayOf(beforeS));
      const sorted =
        segments.length === 0 ? before.sorted : await sortFills(session, folder, before, segments, progress);
      const throughDay = dayOf(beforeS - DAY_S);
      const markets = await mergeLayers(session, folder, 'markets', before.markets, MARKETS);
      const names = await mergeLayers(session, folder, 'names', before.names, NAMES);
      await writeManifest(folder, {
        version: 1,
        sorted: sorted && { ...sorted, throughDay: later(throughDay, before.sorted?.throughDay ?? '') },
        absorbed: [...before.absorbed, ...segments.map(({ path }) => path)],
        markets: markets.base,
        names: names.base,
        outdated: [
          ...(await outdatedSegments(dir, segments)),
          ...(sorted === before.sorted ? [] : outdatedGeneration(before)),
          ...markets.outdated,
          ...names.outdated,
        ],
      });
    }),
  );
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

function outdatedGeneration({ sorted }: TapeManifest): readonly string[] {
  return sorted === null ? [] : [join(sorted.conditions, '..')];
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
