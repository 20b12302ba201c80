import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeWallet } from '#domain/ids';
import { tapeFault } from '../engine/fault.js';
import { replaceText } from './files.js';
import type { TapeFolder } from './folder.js';
import { isMissing } from './listing.js';

/**
 * A range of wallets of the sorted fills, in its own files. Paths are relative to the folder of the
 * tape.
 */
export interface SortedRange {
  /**
   * The first wallet that belongs here; the range ends where the next one begins. "" for the first
   * range.
   */
  readonly fromWallet: TapeWallet;
  /** Sorted by wallet, token and time. */
  readonly fills: string;
  /** Each (wallet, token) pair of the fills once, with what is known of it. */
  readonly places: string;
  /** How many fills each wallet has. */
  readonly wallets: string;
  readonly rows: number;
  readonly lastPlaceNo: number;
}

/** The sorted fills, made as a whole by one compaction. */
export interface SortedFills {
  readonly ranges: readonly SortedRange[];
  /** Each condition of the fills once, with its newest fill. */
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
}

/**
 * Which files of the tape count. It is replaced as a whole, so that a compaction has happened or
 * has not.
 */
export interface TapeManifest {
  readonly version: 1;
  readonly sorted: SortedFills | null;
  /** Segments whose fills lie in the sorted files. */
  readonly absorbed: readonly string[];
  readonly markets: LayerBase | null;
  readonly names: LayerBase | null;
  /**
   * Files and folders of before the last compaction, kept until the next one for those who were
   * reading them.
   */
  readonly outdated: readonly string[];
}

const FILE = 'manifest.json';

const EMPTY: TapeManifest = { version: 1, sorted: null, absorbed: [], markets: null, names: null, outdated: [] };

/**
 * Returns which files count. Throws if the manifest is broken: guessing could count fills twice.
 */
export async function readManifest(dir: string): Promise<TapeManifest> {
  const text = await readIfThere(join(dir, FILE));
  if (text === null) return EMPTY;
  const manifest = parseManifest(text);
  if (manifest.version !== 1)
    throw new Error(`${FILE} is of version ${manifest.version}; this program reads version 1`);
  return manifest;
}

function parseManifest(text: string): TapeManifest {
  try {
    return JSON.parse(text) as TapeManifest;
  } catch (cause) {
    throw tapeFault(`${FILE} is not whole; restore the folder of the tape from a copy`, cause);
  }
}

export function writeManifest(folder: TapeFolder, manifest: TapeManifest): Promise<void> {
  return replaceText(folder, FILE, `${JSON.stringify(manifest, null, 1)}\n`);
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
