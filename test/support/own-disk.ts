import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.js';

/** A file system of its own that can be frozen and filled. */
export interface OwnDisk {
  readonly path: string;
  freeze(): void;
  thaw(): void;
  /** Takes all the room that there is. */
  fill(): void;
  empty(): void;
  unmount(): void;
}

/** Makes an ext4 of 64 MB. Throws where this user or system cannot. */
export function makeDisk(): OwnDisk {
  const folder = tempFolder('disk');
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
  const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, { stdio: 'ignore' });
  run('truncate', '-s', '64M', image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  mkdirSync(path);
  run('mount', '-o', 'loop', image, path);
  const filler = join(path, 'filler');
  return {
    path,
    freeze: () => run('fsfreeze', '--freeze', path),
    thaw: () => run('fsfreeze', '--unfreeze', path),
    // It ends with an error when there is no room any more.
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'conv=fsync'], { stdio: 'ignore' }),
    empty: () => rmSync(filler, { force: true }),
    unmount: () => run('umount', '-l', path),
  };
}
