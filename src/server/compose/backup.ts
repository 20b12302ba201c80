import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { copyLmdb } from '#adapters/lmdb/copy';
import { filesBeside } from '#adapters/lmdb/memory-lock';
import { copyFilesOut, copyOut } from '#adapters/process/copy-out';
import { armCrashPoint } from '#adapters/process/crash-point';
import { giveToOwnerOf } from '#adapters/process/owner';
import { systemClock } from '#adapters/process/system-clock';
import { copyTape } from '#adapters/tape/files/copy';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { Problem } from '#domain/errors';
import { checkStore, type IntegrityReport } from '#services/integrity/check';
import { markBackup } from './backup-mark.js';
import { crashingRename, type Rename } from './crashing.js';
import { creditsPath, hasCredits, openCredits, requireStoreKey, storeKeyPath } from './credits.js';
import { beginDraft, type Draft, discard, putInPlace, setAside } from './draft.js';
import { evidenceKeysPath } from './evidence.js';
import { flushAll } from './flush.js';
import { hasRatings, openRatings, ratingsPath } from './ratings.js';
import { hasTape, tapePath } from './tape.js';

/** Says what a backup holds: a folder without it is none. */
const CONTENTS = 'backup.json';
/** As many as fit into a sentence. */
const FAULTS_NAMED = 3;

/** What lies in a backup. */
interface Backup {
  /**
   * Taken before the first copy: whatever is younger may be missing, and nothing older is. What it
   * takes to copy and check the rest, which may be an hour, does not count.
   */
  readonly madeAt: string;
  /** Of the program that made it. */
  readonly version: string;
  /** What a check of its rows found, if anything: then it is no backup. */
  readonly fault?: string;
  readonly files: readonly StoredFile[];
}

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; backups of before have none. */
  readonly sha256?: string;
}

/** A backup, and what a check of every row in it has found. */
export interface CheckedBackup extends Backup {
  /** The folder in which it is. */
  readonly path: string;
  readonly check: IntegrityReport;
}

export interface BackupOptions {
  readonly dataDir: string;
  readonly keysDir: string;
  readonly withTape: boolean;
  readonly onStep: (step: string) => void;
  /** For tests: the crash point at which the process dies. */
  readonly crashAt?: string | undefined;
}

/**
 * Copies what a data directory holds of money, ratings, keys and (if asked for) trades into a new
 * folder, each as it stands at one moment, also while the service runs; then opens the copy and
 * checks every row of it, and notes in the directory when that was, for its metrics. The folder has
 * its name, or what makes it a backup, when it is whole, on disk and without a fault; one with faults
 * lies beside it, hidden, or in it if it was there.
 * Whoever has it has the tokens and codes: it is as secret as the directory. Rejects with a Problem
 * where there is nothing, or the folder is in use, with an OutsideError where the key of the store is
 * not in the folder of its keys, and with an Error where the text names no crash point.
 */
export async function backUp(to: string, options: BackupOptions): Promise<CheckedBackup> {
  const { dataDir, onStep, crashAt } = options;
  const move = renameUntil(crashAt);
  if (!hasCredits(dataDir)) throw new Problem('invalid_parameter', `There is no store at ${creditsPath(dataDir)}.`);
  await requireStoreKey(options);
  const draft = await beginDraft(to);
  const backup = await filled(draft, fill(draft.path, options));
  const isSound = backup.fault === undefined;
  const path = isSound ? to : await setAside(draft, 'faulty', move);
  if (isSound) await putInPlace(draft, inOrder, move);
  if (isSound) noteBackup(dataDir, backup.madeAt, onStep);
  return { ...backup, path };
}

/**
 * The order in which parts come into a folder that is there: first the key, without whose store no
 * service starts, and last the store, or what says that a backup is one.
 */
function inOrder(names: readonly string[]): readonly string[] {
  const first = basename(storeKeyPath(''));
  const last = [basename(creditsPath('')), CONTENTS];
  const place = (name: string) => (name === first ? -1 : last.indexOf(name) + 1);
  return names.toSorted((a, b) => place(a) - place(b));
}

function renameUntil(crashAt: string | undefined): Rename {
  const crash = armCrashPoint(crashAt);
  return crash === null ? rename : crashingRename(rename, crash);
}

/** Resolves to what is resolved to when the draft is filled; one that cannot be is discarded. */
async function filled<T>(draft: Draft, filling: Promise<T>): Promise<T> {
  return filling.catch(async (error: unknown) => {
    await discard(draft);
    throw error;
  });
}

async function fill(
  to: string,
  { dataDir, keysDir, withTape, onStep }: BackupOptions,
): Promise<Omit<CheckedBackup, 'path'>> {
  onStep('credits and payments');
  const madeAt = new Date(systemClock.nowMs()).toISOString();
  await copyLmdb(creditsPath(dataDir), creditsPath(to));
  if (hasRatings(dataDir)) {
    onStep('ratings');
    await copyLmdb(ratingsPath(dataDir), ratingsPath(to));
  }
  await copyKeys(keysDir, to);
  if (withTape && hasTape(dataDir)) {
    onStep('trades');
    await copyTape(dataDir, tapePath(dataDir), tapePath(to));
  }
  onStep('checking the copy');
  const check = await checkFolder(to);
  const files = await filesIn(to);
  const fault = faultIn(check);
  const backup: Backup = { madeAt, version: PRODUCT_VERSION, ...(fault === null ? {} : { fault }), files };
  await writeFile(join(to, CONTENTS), `${JSON.stringify(backup, null, 1)}\n`, { mode: 0o600 });
  await flushAll(to);
  return { ...backup, check };
}

/** Returns how many faults there are and the first few of them, in words; null: there are none. */
function faultIn({ faultsFound, faults }: IntegrityReport): string | null {
  if (faultsFound === 0) return null;
  const count = faultsFound === 1 ? '1 row contradicts another' : `${faultsFound} rows contradict others`;
  return [count, ...faults.slice(0, FAULTS_NAMED).map(({ where, what }) => `${where}: ${what}`)].join(', ');
}

/**
 * Makes a data directory of a backup, at once and whole, after a check of every row of it. The
 * directory has its name, or its store if it was there, when all of it is on disk. Rejects with a
 * Problem where the backup is not whole or has a fault, or something is in the directory.
 */
export async function restore(
  from: string,
  dataDir: string,
  { onStep, crashAt }: Pick<BackupOptions, 'onStep' | 'crashAt'>,
): Promise<CheckedBackup> {
  const move = renameUntil(crashAt);
  const backup = await readContents(from);
  const draft = await beginDraft(dataDir);
  const check = await filled(draft, fillFromBackup(draft.path, from, backup, onStep));
  if (existsSync(dataDir)) giveToOwnerOf(dataDir, draft.path);
  await putInPlace(draft, inOrder, move);
  return { ...backup, path: dataDir, check };
}

/** Resolves when all of it is on disk, and every row of it was found well. */
async function fillFromBackup(
  draft: string,
  from: string,
  { files }: Backup,
  onStep: BackupOptions['onStep'],
): Promise<IntegrityReport> {
  onStep('copying');
  for (const { path } of files) {
    await mkdir(dirname(join(draft, path)), { recursive: true });
    await copyFile(join(from, path), join(draft, path));
  }
  onStep('checking the copy');
  const check = await checkFolder(draft);
  const fault = faultIn(check);
  if (fault !== null) throw new Problem('invalid_parameter', `${from} is no backup: ${fault}. Restore an earlier one.`);
  await flushAll(draft);
  return check;
}

/** The backup is whole without it, but nobody who watches the service would know of it. */
function noteBackup(dataDir: string, madeAt: string, onStep: BackupOptions['onStep']): void {
  try {
    markBackup(dataDir, madeAt);
  } catch (error) {
    const why = (error as Error).message;
    onStep(`the service cannot be notified of this backup, and its alert will fire: ${why}`);
  }
}

async function checkFolder(dir: string): Promise<IntegrityReport> {
  const { store } = openCredits(dir);
  const ratings = hasRatings(dir) ? openRatings(dir).store : null;
  try {
    return await checkStore({ store, ratings }, () => undefined);
  } finally {
    await ratings?.close();
    await store.close();
    for (const path of [creditsPath(dir), ratingsPath(dir)].flatMap(filesBeside)) await rm(path, { force: true });
  }
}

async function readContents(from: string): Promise<Backup> {
  const path = join(from, CONTENTS);
  if (!existsSync(path))
    throw new Problem('invalid_parameter', `There is no whole backup in ${from}: ${path} is not there.`);
  const backup = readJson(path, await readFile(path, 'utf8'));
  if (backup.fault !== undefined) throw new Problem('invalid_parameter', `${from} is no backup: ${backup.fault}`);
  for (const file of backup.files) {
    const damage = await damageOf(join(from, file.path), file);
    if (damage !== null)
      throw new Problem('invalid_parameter', `The backup in ${from} is damaged: ${join(from, file.path)} ${damage}.`);
  }
  return backup;
}

function readJson(path: string, text: string): Backup {
  try {
    return JSON.parse(text) as Backup;
  } catch {
    throw new Problem('invalid_parameter', `The backup is damaged: ${path} is not JSON. Take another one.`);
  }
}

/** Returns what is wrong with a file of a backup, or null. */
async function damageOf(path: string, { bytes, sha256 }: StoredFile): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'is not there';
  if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`;
  return sha256 === undefined || (await digestOf(path)) === sha256
    ? null
    : 'is not what was backed up: its SHA-256 differs';
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function copyKeys(keysDir: string, to: string): Promise<void> {
  const [key, evidence] = [storeKeyPath(keysDir), evidenceKeysPath(keysDir)];
  if (existsSync(key)) await copyOut(keysDir, key, storeKeyPath(to));
  if (!existsSync(evidence)) return;
  await mkdir(evidenceKeysPath(to), { mode: 0o700 });
  await copyFilesOut(keysDir, evidence, evidenceKeysPath(to));
}

async function filesIn(dir: string): Promise<Backup['files']> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: StoredFile[] = [];
  for (const path of paths.toSorted()) {
    files.push({ path: relative(dir, path), bytes: (await stat(path)).size, sha256: await digestOf(path) });
  }
  return files;
}
