import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeWallet } from '#domain/ids';
import { tapeFault } from '../engine/fault.js';
import { replaceText } from './files.js';
import type { TapeFolder } from './folder.js';
import type { SortedImport } from './imports.js';
import { isMissing } from './listing.js';

/**
 * A range of wallets of sorted fills, in its own files. Paths are relative to the folder of the
 * tape.
 */
export interface SortedFiles {
  /**
   * The first wallet that belongs here; the range ends where the next one begins. "" for the first
   * range.
   */
  readonly fromWallet: TapeWallet;
  /** Sorted by wallet, token and time. */
  readonly fills: string;
  /** Each (wallet, token) pair of the fills once, with what is known of it. */
  readonly places: string;
  /**
   * What each source told of the places that a CSV import told of, so that it can be taken back.
   * Absent: there are none.
   */
  readonly told?: string;
  readonly rows: number;
  /** Numbers of places grow from file to file, and from generation to generation. */
  readonly lastPlaceNo: number;
}

/** A range of the base. */
export interface SortedRange extends SortedFiles {
  /** How many fills each wallet has. */
  readonly wallets: string;
}

/**
 * A range of a recent generation. It holds all fills of its places, also those that an older
 * generation has: there these places count no more.
 */
export interface RecentRange extends SortedFiles {
  /** The places of older generations, by wallet, that this range stands for. */
  readonly replaced: string;
  /** Fills of those places. */
  readonly replacedRows: number;
}

/** What one compaction added beside the base. */
export interface RecentFills {
  readonly ranges: readonly RecentRange[];
  /** Each condition of the fills once, with its newest fill. */
  readonly conditions: string;
}

/** The sorted fills: a base that one compaction made as a whole, and what later ones added. */
export interface SortedFills {
  readonly ranges: readonly SortedRange[];
  /** Older ones first. Absent: none, as in manifests of earlier versions. */
  readonly recent?: readonly RecentFills[];
  /** Each condition of the base once, with its newest fill. */
  readonly conditions: string;
  readonly throughDay: string;
  /** The cut-offs that the facts of the places were made with. */
  readonly cutOffs: string;
  readonly firstFillS: number | null;
  readonly lastFillS: number | null;
}

/**
 * Rows of which a newer one overrides an older one: one merged file, beside the numbered files that
 * came after it.
 */
export interface LayerBase {
  readonly file: string;
  /** Files whose rows it holds, as far as they may still be there. */
  readonly merged: readonly string[];
  /** Files that come get higher numbers. */
  readonly through: number;
  /**
   * The rows themselves, and whose they are, of the keys that a CSV import brought a row of.
   * Absent: there are none.
   */
  readonly told?: string;
}

/**
 * Which files of the tape count. It is replaced as a whole, so that a compaction has happened or
 * has not.
 */
export interface TapeManifest {
  /**
   * 2 if there are recent generations, 3 if it is kept what came of which import: a program that
   * does not know of them must not read on.
   */
  readonly version: 1 | 2 | 3;
  readonly sorted: SortedFills | null;
  /** Segments whose fills lie in the sorted files, or were taken back. */
  readonly absorbed: readonly string[];
  /**
   * CSV imports among them that can be taken back. Absent: none, as in manifests of earlier
   * versions.
   */
  readonly imports?: readonly SortedImport[];
  readonly markets: LayerBase | null;
  readonly names: LayerBase | null;
  /**
   * Files and folders of before the last compaction, kept until the next one for those who were
   * reading them.
   */
  readonly outdated: readonly string[];
}

const FILE = 'manifest.json';

const VERSIONS: readonly number[] = [1, 2, 3];

const EMPTY: TapeManifest = { version: 1, sorted: null, absorbed: [], markets: null, names: null, outdated: [] };

/**
 * Returns which files count. Throws if the manifest is broken: guessing could count fills twice.
 */
export async function readManifest(dir: string): Promise<TapeManifest> {
  const text = await readIfThere(join(dir, FILE));
  if (text === null) return EMPTY;
  const manifest = parseManifest(text);
  if (!VERSIONS.includes(manifest.version))
    throw new Error(`${FILE} is of version ${manifest.version}; this program reads versions 1 to 3`);
  return manifest;
}

function parseManifest(text: string): TapeManifest {
  try {
    return JSON.parse(text) as TapeManifest;
  } catch (cause) {
    throw tapeFault(`${FILE} is not whole; restore the folder of the tape from a copy`, cause);
  }
}

/** Replaces the manifest in one step, in the oldest version that can say all of it. */
export function writeManifest(folder: TapeFolder, manifest: Omit<TapeManifest, 'version'>): Promise<void> {
  const version = knowsImports(manifest) ? 3 : recentOf(manifest.sorted).length === 0 ? 1 : 2;
  return replaceText(folder, FILE, `${JSON.stringify({ ...manifest, version }, null, 1)}\n`);
}

function knowsImports({ imports = [], markets, names }: Omit<TapeManifest, 'version'>): boolean {
  return imports.length > 0 || markets?.told !== undefined || names?.told !== undefined;
}

/** Returns the text of a file, or null if there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns the generations beside the base, older ones first. */
export function recentOf(sorted: SortedFills | null): readonly RecentFills[] {
  return sorted?.recent ?? [];
}

/** Returns the greatest number of a place; 0: there is none. */
export function lastPlaceNoOf(sorted: SortedFills | null): number {
  const newest = recentOf(sorted).at(-1)?.ranges ?? sorted?.ranges;
  return newest?.at(-1)?.lastPlaceNo ?? 0;
}

/** Returns how many fills are sorted, each counted once. */
export function sortedRows(sorted: SortedFills | null): number {
  const recent = recentOf(sorted).flatMap(({ ranges }) => ranges);
  return rowsOf(sorted?.ranges ?? []) + rowsOf(recent) - recent.reduce((sum, one) => sum + one.replacedRows, 0);
}

/** Returns how many rows the files have together. */
export function rowsOf(files: readonly SortedFiles[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the earlier or the later of two times, of which there may be one or none. */
export function endOf(pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return pick(a, b);
}
