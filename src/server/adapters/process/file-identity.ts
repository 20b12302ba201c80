import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Which file a path led to, and how large that was when it was last looked at. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** Returns which file is at a path. Throws where there is none. */
export function identityOf(path: string): FileIdentity {
  return statSync(path, { bigint: true });
}

/**
 * Looks whether a path still leads to a file that only grows. Returns what became of it, in words
 * ("is not there any more"), or the file as it is now. Rejects where the disk does not say.
 */
export async function lookAgain(path: string, known: FileIdentity): Promise<FileIdentity | string> {
  const found = await statOrNull(path);
  if (found === null) return 'is not there any more';
  if (found.dev !== known.dev || found.ino !== known.ino) return 'is another file now';
  return found.size < known.size ? 'was cut short or written over' : found;
}

async function statOrNull(path: string): Promise<BigIntStats | null> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
