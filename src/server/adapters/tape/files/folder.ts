import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Host, hasEndedIn, spaceOf, systemHost } from '../../process/host.js';
import { namesIn } from './listing.js';

const SCRATCH_FOLDER = 'tmp';
/** What is done in it writes more often than this: the owner is gone, wherever it ran. */
const ABANDONED_MS = 86_400_000;

/** The folder of a tape, as one handle has it open. */
export interface TapeFolder {
  readonly dir: string;
  /**
   * A folder of this handle alone, on the same disk: for what the engine cannot hold in memory, and
   * for files until they are whole. So nothing half-written ever lies among the files of the tape.
   * Who writes there asks `scratchOf` for it.
   */
  readonly scratch: string;
  /** Removes the scratch folder. */
  close(): Promise<void>;
}

/**
 * Opens a folder, creates it where it does not exist, and removes the scratch folders of processes
 * that were killed.
 */
export async function openTapeFolder(dir: string, host: Host = systemHost): Promise<TapeFolder> {
  const parent = join(dir, SCRATCH_FOLDER);
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, `${spaceOf(host)}-${host.pid}-`));
  // By the clock of the disk itself, which may be another machine's.
  const nowMs = (await stat(scratch)).mtimeMs;
  for (const path of (await namesIn(parent)).map((name) => join(parent, name))) {
    const [space, pid] = basename(path).split('-');
    // That of a process stays which only waits.
    const hasEnded = hasEndedIn(space, Number(pid), host) ?? nowMs - (await lastWrittenMs(path)) > ABANDONED_MS;
    if (hasEnded) await rm(path, { recursive: true, force: true });
  }
  return { dir, scratch, close: () => rm(scratch, { recursive: true, force: true }) };
}

/** Returns the scratch folder, made anew where somebody has removed it. */
export async function scratchOf({ scratch }: TapeFolder): Promise<string> {
  await mkdir(scratch, { recursive: true });
  return scratch;
}

/** When something was last written into a folder. One that cannot be looked at is left alone. */
async function lastWrittenMs(path: string): Promise<number> {
  const writtenMs = async (one: string) => (await stat(one)).mtimeMs;
  try {
    const names = await namesIn(path);
    return Math.max(...(await Promise.all([path, ...names.map((name) => join(path, name))].map(writtenMs))));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
