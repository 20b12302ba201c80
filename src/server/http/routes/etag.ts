import { createHash } from 'node:crypto';

/** Returns the tag of a document: the same text or bytes always get the same. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether a list of tags, as it came, has this one (RFC 9110, 13.1.2: compared weakly). */
export function matchesEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
