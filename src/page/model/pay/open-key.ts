import type { Tool } from '#api/prices';

/** Under which name a tab keeps its open purchases. */
export const OPEN_KEY = 'open purchases';

/**
 * Whether a purchase of this tool may be open: enough to know whether the rest has to be loaded.
 */
export function mayBeOpen(storage: { getItem(key: string): string | null }, tool: Tool): boolean {
  try {
    return storage.getItem(OPEN_KEY)?.includes(`/api/${tool}`) ?? false;
  } catch {
    return false;
  }
}
