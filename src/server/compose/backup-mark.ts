import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the data directory: when the last backup was made whose every row was found well. */
const MARK = 'last-backup.json';
/** The service may be another user than who makes backups, and a moment is no secret. */
const READABLE = 0o644;

/** Notes in a data directory that a backup of it was made and checked. */
export async function markBackup(dataDir: string, madeAt: string): Promise<void> {
  const path = join(dataDir, MARK);
  const draft = `${path}.new`;
  await writeFile(draft, `${JSON.stringify({ made_at: madeAt })}\n`);
  await chmod(draft, READABLE);
  await rename(draft, path);
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
