import canonicalize from 'canonicalize';
import { shown } from '../text.js';

/** One thing that was checked. Stable. */
export interface Check {
  readonly name: string;
  /** null: there is nothing to check, which is no fault. */
  readonly holds: boolean | null;
  readonly says: string;
}

/** A check that does not hold. */
export const fault = (name: string, says: string): Check => ({ name, holds: false, says });
/** A check that holds. */
export const good = (name: string, says: string): Check => ({ name, holds: true, says });

/**
 * Compares what was told with what is right. `says` takes the place of a value that is too long to
 * be shown.
 */
export function same(name: string, received: unknown, right: unknown, says?: string): Check {
  const isSame = canonical(received) === canonical(right);
  if (isSame) return good(name, says ?? shown(right));
  return fault(
    name,
    says === undefined ? `computed ${shown(right)}, received ${shown(received)}` : `does not hold: ${says}`,
  );
}

/** Returns the RFC 8785 form; null for what no JSON can be. */
export function canonical(value: unknown): string | null {
  try {
    return canonicalize(value) ?? null;
  } catch {
    return null;
  }
}
