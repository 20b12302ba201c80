import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from './listing.js';

const SCRATCH_FOLDER = 'tmp';

/** The folder of a tape, as one handle has it open. */
export interface TapeFolder {
  readonly dir: string;
  /**
   * A folder of this handle alone, on the same disk: for what the engine cannot hold in memory, and
   * for files until they are whole. So nothing half-written ever lies among the files of the tape.
   */
  readonly scratch: string;
  /** Removes the scratch folder. */
  close(): Promise<void>;
}

/**
 * Opens a folder, creates it where it does not exist, and removes the scratch folders of processes
 * that were killed.
 */
export async function openTapeFolder(dir: string): Promise<TapeFolder> {
  const parent = join(dir, SCRATCH_FOLDER);
  await mkdir(parent, { recursive: true });
  for (const name of await namesIn(parent)) {
    if (!isRunning(Number(name.split('-')[0]))) await rm(join(parent, name), { recursive: true, force: true });
  }
  const scratch = await mkdtemp(join(parent, `${process.pid}-`));
  return { dir, scratch, close: () => rm(scratch, { recursive: true, force: true }) };
}

/** One that took over the number of another is taken for it: then its folder stays. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
