import type { StoredRating } from '#ports/ratings-store';
import { encodeStoredRating } from '../../rows/rating-rows.js';
import type { Statement } from '../query.js';
import { docOf } from './doc.js';

/** Returns the statement that keeps a rating on demand. */
export function upsertDemandRating(stored: StoredRating): Statement {
  return {
    text: `INSERT INTO demand_rating (wallet, as_of_s, doc) VALUES ($1, $2, $3)
           ON CONFLICT (wallet) DO UPDATE SET as_of_s = excluded.as_of_s, doc = excluded.doc`,
    values: [stored.rating.wallet, stored.rating.asOfS, docOf(encodeStoredRating(stored))],
  };
}
