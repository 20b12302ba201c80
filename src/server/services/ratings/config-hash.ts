import { createHash } from 'node:crypto';
import type { RatingConfig } from '#domain/rating/rating-config';

const HASH_DIGITS = 16;

/**
 * Returns the name of a set of cut-offs: the first 16 hexadecimal digits of the SHA-256 of its JSON
 * with sorted keys.
 */
export function ratingConfigHash(config: RatingConfig): string {
  const sorted = Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(sorted)))
    .digest('hex')
    .slice(0, HASH_DIGITS);
}
