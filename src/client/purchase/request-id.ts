import { digestHex } from '../evidence/digest.js';

/** Returns the name of a request: 64 hexadecimal digits that the same request always has. */
export function requestIdOf(...parts: readonly (string | null)[]): Promise<string> {
  return digestHex('SHA-256', JSON.stringify(parts));
}
