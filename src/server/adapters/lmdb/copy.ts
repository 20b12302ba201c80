import { open } from 'lmdb';
import { closeLocked, openLocked } from './memory-lock.js';

/**
 * Writes an LMDB file as it stands at one moment to another path, also while processes write to it.
 */
export async function copyLmdb(path: string, to: string): Promise<void> {
  const db = openLocked(path, (at) => open({ path: at, readOnly: true }), { readsOnly: true });
  try {
    await db.backup(to, false);
  } finally {
    await db.close();
    await closeLocked(path);
  }
}
