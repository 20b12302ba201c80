import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lmdbPath } from '#adapters/lmdb/money/store';
import { openCredits } from '#compose/credits';
import { tempFolder } from '#test/support/temp-folder';

export const POWER_CODE = 'POWER';

/** What can be wrong with a program that answers from a store. */
export type PowerFault = 'none' | 'answers before the commit' | 'answers before the flush' | 'sends before the intent';

/** full: from a moment on one write of a few finds no room. */
export type Disk = 'sound' | 'full';
const FAILING: Readonly<Record<Disk, readonly string[]>> = {
  sound: [],
  full: ['inject=writev:error=ENOSPC:when=12+7'],
};

/** A run of the workload: the store before it, and all that it did to its disk. */
export interface Recording {
  /** The file before the run. */
  readonly before: string;
  /** Where the file was. */
  readonly path: string;
  /** What strace wrote of the run. */
  readonly trace: string;
}

const CHILD = fileURLToPath(new URL('./workload-child.js', import.meta.url));
const CALLS = 'openat,lseek,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,mmap';
/** A disk that takes its time: more goes on while it does. */
const SYNC_DELAY_US = 3_000;
const STRING_BYTES_MAX = 16 * 1024 * 1024;

/** Whether system calls can be recorded here. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
}

/** Runs the workload for so many rounds, with every system call that touches a file written down. */
export async function record(rounds: number, fault: PowerFault, disk: Disk = 'sound'): Promise<Recording> {
  const dataDir = tempFolder('power');
  const { credits, store } = openCredits(dataDir);
  await credits.createPromo({ code: POWER_CODE, credits: 100_000, walletsMax: 1e6, days: 30 });
  await store.close();
  const [path, before, trace] = [lmdbPath(dataDir), join(dataDir, 'before.lmdb'), join(dataDir, 'trace')];
  copyFileSync(path, before);
  const options = ['-f', '-qq', '-y', '-xx', '-s', String(STRING_BYTES_MAX), '-o', trace];
  const filters = [`trace=${CALLS}`, `inject=fdatasync:delay_exit=${SYNC_DELAY_US}`, ...FAILING[disk]];
  const args = [
    ...options,
    ...filters.flatMap((filter) => ['-e', filter]),
    process.execPath,
    CHILD,
    dataDir,
    String(rounds),
    fault,
  ];
  // lmdb complains of a disk without room on its own.
  const child = spawn('strace', args, { stdio: ['ignore', 'ignore', disk === 'full' ? 'ignore' : 'inherit'] });
  const [code] = await once(child, 'exit');
  // On a disk without room it ends as it can: what it has answered by then is what counts.
  if (code !== 0 && disk === 'sound') throw new Error(`the workload ended with ${code}`);
  return { path, before, trace };
}
