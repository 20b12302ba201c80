import { existsSync } from 'node:fs';
import { chmod, lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Host, hasEndedIn, spaceOf, systemHost } from '#adapters/process/host';
import { makeFolder } from '#adapters/process/make-folder';
import { systemClock } from '#adapters/process/system-clock';
import { Problem } from '#domain/errors';
import type { Rename } from './crashing.js';
import { flush } from './flush.js';

/*
 * A folder that takes long to fill is filled as a draft, under a hidden name that says whose it is.
 *
 * If there is no folder of its name yet, the draft lies beside it and is renamed: killed at any
 * moment, there is none or all of it. A folder that is there may be a mount point, which nothing can
 * be renamed to, so its draft lies inside and its entries are moved up one by one, each on disk
 * before the next. Killed before the first, there is an empty folder; killed between two, there is
 * none of what comes last, by which the whole is known, and the next attempt says what lies there;
 * killed after the last, there is all of it and an empty draft, which nothing reads.
 */

/** A folder on its way to its name. */
export interface Draft {
  readonly path: string;
  readonly target: string;
}

const DRAFT = /^\.(?:.+)\.([0-9a-f]{12})-(\d+)\.making$/;
const FOR_OWNER = 0o700;
/** For a draft whose process cannot be asked, as after a restart of the machine: none takes so long. */
const STALE_MS = 24 * 3_600_000;
/** What a file system has in itself from the beginning. */
const NOT_CONTENTS = 'lost+found';

/** Drafts of this process; others of its number are of one before it. */
const own = new Set<string>();

/**
 * Begins a draft of a folder that is empty or not there, and removes drafts beside and in it that
 * ended processes left: their names are dates, under which nothing is made again. Rejects with a
 * Problem where the folder is not empty.
 */
export async function beginDraft(target: string, host: Host = systemHost): Promise<Draft> {
  await sweepDrafts(dirname(resolve(target)), host);
  await requireEmpty(target, host);
  const path = hidden(target, `${spaceOf(host)}-${host.pid}.making`);
  own.add(path);
  makeFolder(path, FOR_OWNER);
  return { path, target };
}

/** Removes a draft that has come to nothing. */
export async function discard({ path }: Draft): Promise<void> {
  await rm(path, { recursive: true, force: true });
  own.delete(path);
}

/**
 * Gives a draft that is on disk its name. `order`: its entries, for a folder that is there, with
 * those last by which it is known to be whole. Where this fails nothing of it is left.
 */
export async function putInPlace(
  draft: Draft,
  order: (names: readonly string[]) => readonly string[],
  move: Rename = rename,
): Promise<void> {
  if (isInside(draft)) await moveUp(draft, order, move);
  else {
    await move(draft.path, draft.target).catch((error: unknown) => giveUp(draft, [], overtaken(draft, error)));
    await flush(dirname(draft.path));
  }
  own.delete(draft.path);
}

/** Keeps a draft under another hidden name, in place of one that has it, and returns its path. */
export async function setAside(draft: Draft, as: string, move: Rename = rename): Promise<string> {
  const path = join(dirname(draft.path), `.${basename(resolve(draft.target))}.${as}`);
  await rm(path, { recursive: true, force: true });
  await move(draft.path, path);
  await flush(dirname(path));
  own.delete(draft.path);
  return path;
}

/** Another draft of the same name was faster. */
function overtaken({ target }: Draft, error: unknown): unknown {
  const isThere = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
  return isThere ? notEmpty(target) : error;
}

async function moveUp({ path, target }: Draft, order: Parameters<typeof putInPlace>[1], move: Rename): Promise<void> {
  const moved: string[] = [];
  try {
    const others = (await namesIn(target)).filter((name) => name !== basename(path));
    if (others.length > 0) throw new Problem('invalid_parameter', `${target} is not empty any more: ${others[0]}.`);
    // As a new one would be. Another user's is left as it is: the files are closed to others all the same.
    if ((await lstat(target)).uid === process.geteuid?.()) await chmod(target, FOR_OWNER);
    for (const name of order(await readdir(path))) {
      await move(join(path, name), join(target, name));
      moved.unshift(join(target, name));
      await flush(target);
    }
  } catch (error) {
    await giveUp({ path, target }, moved, error);
  }
  await rm(path, { recursive: true }).catch(() => undefined);
}

/** Takes back what was moved, the last first. */
async function giveUp(draft: Draft, moved: readonly string[], error: unknown): Promise<never> {
  for (const path of moved) await rm(path, { recursive: true, force: true });
  await discard(draft);
  throw error;
}

function isInside({ path, target }: Draft): boolean {
  return dirname(path) === resolve(target);
}

/** Of a name that neither `*` nor a person takes for a backup. */
function hidden(target: string, what: string): string {
  const path = resolve(target);
  return join(existsSync(path) ? path : dirname(path), `.${basename(path)}.${what}`);
}

async function requireEmpty(dir: string, host: Host): Promise<void> {
  if (await isNoFolder(dir)) {
    throw new Problem('invalid_parameter', `${dir} is no folder: name one that is empty, or none yet.`);
  }
  // Beside anything else it is what explains it.
  if ((await namesIn(dir)).every((name) => DRAFT.test(name))) await sweepDrafts(dir, host);
  const names = await namesIn(dir);
  const draft = names.find((name) => DRAFT.test(name));
  if (draft !== undefined) {
    const what = `${join(dir, draft)} is of a backup or restore that runs or was interrupted`;
    throw new Problem('invalid_parameter', `${what}: wait for it, or move away all that lies in ${dir}.`);
  }
  if (names.length > 0) throw notEmpty(dir);
}

function notEmpty(dir: string): Problem {
  return new Problem('invalid_parameter', `${dir} is not empty: name a folder that is, or none yet.`);
}

/** Whether something is there that is no folder: a file, or a link that leads nowhere. */
async function isNoFolder(dir: string): Promise<boolean> {
  const found = await lstat(resolve(dir)).catch(() => null);
  if (found === null) return false;
  return !((await stat(dir).catch(() => null))?.isDirectory() ?? false);
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return existsSync(dir) ? (await readdir(dir)).filter((name) => name !== NOT_CONTENTS) : [];
}

async function sweepDrafts(dir: string, host: Host): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names) {
    const path = join(dir, name);
    // What cannot be looked at or removed is in nobody's way.
    if (await isLeft(path, host).catch(() => false)) await rm(path, { recursive: true }).catch(() => undefined);
  }
}

/** Whether it is a draft of this user whose process is gone. */
async function isLeft(path: string, host: Host): Promise<boolean> {
  const [, space, pid] = DRAFT.exec(basename(path)) ?? [];
  if (space === undefined || own.has(path)) return false;
  const { uid, mtimeMs } = await lstat(path);
  if (uid !== process.geteuid?.()) return false;
  const hasEnded = hasEndedIn(space, Number(pid), host);
  if (hasEnded === null) return systemClock.nowMs() - mtimeMs > STALE_MS;
  return hasEnded || Number(pid) === host.pid;
}
