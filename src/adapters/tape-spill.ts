import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, namesIn } from './tape-files.js';

let spills = 0;

/** A folder of one handle for what the engine cannot hold in memory. */
export interface SpillFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes the folder, and removes those of processes that were killed. */
export async function openSpillFolder(parent: string): Promise<SpillFolder> {
  for (const name of await namesIn(parent)) {
    if (!isRunning(Number(name.split('-')[0]))) await rm(join(parent, name), { recursive: true, force: true });
  }
  spills += 1;
  const path = join(parent, `${process.pid}-${spills}`);
  await mkdir(path, { recursive: true });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
