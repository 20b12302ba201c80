import { createHash } from 'node:crypto';
import { CONFIG_HASH_DIGITS, type RatingConfig, ratingConfigText } from '#domain/rating/rating-config';

/** Returns the name of a set of cut-offs (`rating_config`). */
export function ratingConfigHash(config: RatingConfig): string {
  return createHash('sha256').update(ratingConfigText(config)).digest('hex').slice(0, CONFIG_HASH_DIGITS);
}
