import { open } from 'lmdb';

/**
 * Writes an LMDB file as it stands at one moment to another path, also while processes write to it.
 */
export async function copyLmdb(path: string, to: string): Promise<void> {
  const db = open({ path, readOnly: true });
  try {
    await db.backup(to, false);
  } finally {
    await db.close();
  }
}
