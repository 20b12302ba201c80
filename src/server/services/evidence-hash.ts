import { createHash } from 'node:crypto';

/** Returns the hash of a text as evidence and lists write it. */
export function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
