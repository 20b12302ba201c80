import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keepParquet, readParquetName } from './files.js';
import type { TapeFolder } from './folder.js';
import { namesIn } from './listing.js';
import { readManifest, type TapeManifest } from './manifest.js';

const FILLS_FOLDER = 'fills';
const DAY_FOLDER = 'day=';

/** The day of a segment without fills. */
export const NO_DAY = 'none';

/**
 * Versions of one segment that are kept: the one that counts, and the one before it for its present
 * readers.
 */
const VERSIONS_STORED = 2;

/** A file of fills as it arrived. */
export interface Segment {
  readonly segment: string;
  /** Each time a segment is added anew it gets the next number, and the greatest one counts. */
  readonly version: number;
  /** UTC date of its oldest fill. */
  readonly day: string;
  /** Relative to the folder of the tape. */
  readonly path: string;
}

/** Returns the segments whose fills are not in the sorted files, by path. */
export async function listSegments(dir: string, manifest: TapeManifest): Promise<readonly Segment[]> {
  const absorbed = new Set(manifest.absorbed);
  const newest = new Map<string, Segment>();
  for (const segment of await listVersions(dir)) {
    const existing = newest.get(segment.segment);
    if (existing === undefined || isNewer(segment, existing)) newest.set(segment.segment, segment);
  }
  return [...newest.values()].filter(({ path }) => !absorbed.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Adds a segment, or a newer version of it; `write` writes its Parquet file. */
export async function keepSegment(
  folder: TapeFolder,
  name: string,
  day: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const { dir } = folder;
  const before = (await listVersions(dir)).filter(({ segment }) => segment === name);
  // Also above one that a compaction has removed and, because it was killed, still names.
  const gone = (await readManifest(dir)).absorbed.flatMap(segmentsAt).filter(({ segment }) => segment === name);
  const version = [...before, ...gone].reduce((greatest, segment) => Math.max(greatest, segment.version), 0) + 1;
  await keepParquet(folder, join(FILLS_FOLDER, DAY_FOLDER + day), `${name}~${version}`, write);
  const old = before.filter((segment) => segment.version <= version - VERSIONS_STORED);
  for (const { path } of old) await rm(join(dir, path), { force: true });
}

/** Returns all versions of some segments, older ones first. */
export async function versionsOf(dir: string, segments: ReadonlySet<string>): Promise<readonly Segment[]> {
  const versions = (await listVersions(dir)).filter(({ segment }) => segments.has(segment));
  return versions.sort((a, b) => a.version - b.version);
}

async function listVersions(dir: string): Promise<readonly Segment[]> {
  const folder = join(dir, FILLS_FOLDER);
  const versions: Segment[] = [];
  for (const dayFolder of await namesIn(folder)) {
    if (!dayFolder.startsWith(DAY_FOLDER)) continue;
    for (const fileName of await namesIn(join(folder, dayFolder))) {
      versions.push(...segmentsAt(join(FILLS_FOLDER, dayFolder, fileName)));
    }
  }
  return versions;
}

/** Returns the segment that a path is of; none if it is of no segment. */
function segmentsAt(path: string): readonly Segment[] {
  const parts = /^(.+)~(\d+)$/.exec(readParquetName(basename(path))?.name ?? '');
  if (parts === null) return [];
  const day = basename(dirname(path)).slice(DAY_FOLDER.length);
  return [{ segment: parts[1]!, version: Number(parts[2]), day, path }];
}

/** Of equal versions, which only two processes at one moment could make, one has to count. */
function isNewer(a: Segment, b: Segment): boolean {
  return a.version === b.version ? a.path > b.path : a.version > b.version;
}
