import { createHash } from 'node:crypto';
import {
  CONFIG_HASH_DIGITS,
  PUBLISHED_CONFIGS,
  type RatingConfig,
  ratingConfigText,
} from '#domain/rating/rating-config';

/** Returns the name of a set of cut-offs (`rating_config`). */
export function ratingConfigHash(config: RatingConfig): string {
  return createHash('sha256').update(ratingConfigText(config)).digest('hex').slice(0, CONFIG_HASH_DIGITS);
}

/** Returns the cut-offs that `hash` names, of those in force and the earlier ones; null: of another version. */
export function ratingConfigOf(hash: string, inForce: RatingConfig): RatingConfig | null {
  return [inForce, ...PUBLISHED_CONFIGS].find((config) => ratingConfigHash(config) === hash) ?? null;
}
