import { join } from 'node:path';
import { FILL_COLUMNS } from '../sql/fills.js';
import { MARKET_COLUMNS, MARKET_COLUMNS_ADDED, NAME_COLUMNS } from '../sql/markets.js';
import { sqlFiles } from '../sql/sql.js';
import { type Layers, listLayers, sqlLayers } from './layers.js';
import { type LayerBase, readManifest, recentOf, type TapeManifest } from './manifest.js';
import { listSegments, type Segment } from './segments.js';

/** The files of the tape that count at one moment, and the relations over them. */
export interface Snapshot {
  readonly manifest: TapeManifest;
  readonly segments: readonly Segment[];
  /** All of them, relative to the folder of the tape. */
  readonly files: readonly string[];
  /** Fills that are not in the sorted files. */
  readonly late: string;
  /** Rows of markets and names, for `sqlMarkets` and `sqlNames`. */
  readonly markets: string;
  readonly names: string;
  /** The conditions of market rows that CSV imports brought (condition, import_of). */
  readonly marketsReported: string;
}

/**
 * Returns the tape as it stands. The manifest is read first: segments that a compaction takes in
 * afterwards are then still there, because it leaves the files of before it to the next one.
 */
export async function readSnapshot(dir: string): Promise<Snapshot> {
  const manifest = await readManifest(dir);
  const segments = await listSegments(dir, manifest);
  const paths = segments.map(({ path }) => join(dir, path));
  const markets = await listLayers(dir, 'markets', manifest.markets);
  const names = await listLayers(dir, 'names', manifest.names);
  return {
    manifest,
    segments,
    files: [
      ...sortedFiles(manifest),
      ...segments.map(({ path }) => path),
      ...[...markets.files, ...ifAny(manifest.markets?.told)],
      ...[...names.files, ...ifAny(manifest.names?.told)],
    ],
    late: sqlFiles(paths, FILL_COLUMNS),
    markets: sqlLayers(dir, markets, MARKET_COLUMNS, MARKET_COLUMNS_ADDED),
    names: sqlLayers(dir, names, NAME_COLUMNS),
    marketsReported: sqlMarketsReported(dir, markets, manifest.markets),
  };
}

function sqlMarketsReported(dir: string, layers: Layers, base: LayerBase | null): string {
  const columns = { condition: 'VARCHAR', import_of: 'VARCHAR' };
  const reported = ifAny(base?.told).map((file) => join(dir, file));
  return `(SELECT condition, import_of FROM ${sqlLayers(dir, layers, columns, ['import_of'])}
    UNION ALL SELECT condition, import_of FROM ${sqlFiles(reported, columns)})`;
}

function sortedFiles({ sorted }: TapeManifest): readonly string[] {
  if (sorted === null) return [];
  const recent = recentOf(sorted).flatMap(({ ranges, conditions }) => [
    ...ranges.flatMap(({ fills, places, replaced, told }) => [fills, places, replaced, ...ifAny(told)]),
    conditions,
  ]);
  const base = sorted.ranges.flatMap(({ fills, places, wallets, told }) => [fills, places, wallets, ...ifAny(told)]);
  return [...base, sorted.conditions, ...recent];
}

function ifAny(file: string | undefined): readonly string[] {
  return file === undefined ? [] : [file];
}
