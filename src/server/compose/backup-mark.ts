import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asOwnerOf } from '#adapters/process/owner';

/** In the data directory: when the last backup was made whose every row was found well. */
const MARK = 'last-backup.json';
/** The service may be another user than who makes backups, and a moment is no secret. */
const READABLE = 0o644;

/** Notes in a data directory that a backup of it was made and checked. */
export function markBackup(dataDir: string, madeAt: string): void {
  const path = join(dataDir, MARK);
  asOwnerOf(dataDir, () => replaceFile(path, `${JSON.stringify({ made_at: madeAt })}\n`));
}

/** The draft is made anew: what has its name already may be a link to any file. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', READABLE);
  try {
    writeFileSync(file, text);
    fchmodSync(file, READABLE);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** Returns when the last checked backup of a data directory was made; null: none is known. */
export async function lastBackupMs(dataDir: string): Promise<number | null> {
  try {
    const { made_at: madeAt } = JSON.parse(await readFile(join(dataDir, MARK), 'utf8')) as { made_at: string };
    return Date.parse(madeAt) || null;
  } catch {
    return null;
  }
}
