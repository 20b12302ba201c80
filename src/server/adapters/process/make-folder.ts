import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are not there, all with these rights. Node's own way
 * (`recursive`) tries for ever where nothing can be made and nothing says so, as under /proc. Throws
 * the error of the first that cannot be made.
 */
export function makeFolder(path: string, mode = 0o777): void {
  for (const folder of withParents(resolve(path))) {
    if (isFolder(folder)) continue;
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** The topmost first. */
function withParents(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [...withParents(above), path];
}

/** What cannot be looked at is none: making it then says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
