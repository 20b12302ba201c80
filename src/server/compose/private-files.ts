import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export { actAsOwner } from '#adapters/process/owner';

const OTHERS = 0o077;
/**
 * Files looked at before a data directory counts as well kept: the first loose one ends the search.
 */
const FILES_MAX = 10_000;

/**
 * Makes what this process creates from here on readable and writable for its own user alone:
 * folders 0700, files 0600.
 */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Returns one sentence that says what to do if other users of the machine can reach into a data
 * directory, else null.
 */
export function exposureOf(dataDir: string): string | null {
  const loose = firstLoose(dataDir);
  if (loose === null) return null;
  return `${loose} is open to other users of this machine, and what lies there is money: chmod -R go-rwx ${dataDir}`;
}

/** A folder that is closed keeps out of everything below it, so only an open one is searched. */
function firstLoose(dataDir: string): string | null {
  if (!isLoose(dataDir)) return null;
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).slice(0, FILES_MAX);
  const inside = names.map((name) => join(dataDir, name)).find((path) => isLoose(path));
  return inside ?? dataDir;
}

function isLoose(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & OTHERS) !== 0;
}
