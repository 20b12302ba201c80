import { statSync } from 'node:fs';

const ROOT_USER = 0;

/**
 * A command of root acts as the owner of the data directory from here on: the service, which is
 * another user, could not read what root had written there, for it is closed to all others.
 */
export function actAsOwner(dataDir: string): void {
  if (process.geteuid?.() !== ROOT_USER) return;
  const owner = ownerOf(dataDir);
  if (owner === null || owner.uid === ROOT_USER) return;
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
}

/** null: there is no such directory; the command itself says what that means. */
function ownerOf(dataDir: string): { readonly uid: number; readonly gid: number } | null {
  try {
    return statSync(dataDir);
  } catch {
    return null;
  }
}
