import type { RatingsListing } from '#ports/ratings-store';
import { decodeStoredRating, decodeVerdict } from '../../rows/rating-rows.js';
import { listedPage } from '../listed.js';
import { type Rows, readRaw } from '../raw.js';
import {
  DEMAND_RATINGS,
  HISTORIES,
  partsOfRatingKey,
  publishedKey,
  ratingsOfRun,
  runOfHistoryKey,
  walletOfHistoryKey,
} from './keys.js';

/** Returns the listing of the ratings in the file. Each page is read at one moment. */
export function ratingsListing(db: Rows, read: <T>(from: () => T) => Promise<T>): RatingsListing {
  return {
    runRatings: (run, from, limit) =>
      read(() =>
        listedPage(db, { prefix: ratingsOfRun(run), from, limit }, (key) =>
          decodeStoredRating(key, readRaw(db, key), partsOfRatingKey(key).wallet),
        ),
      ),
    demandRatings: (from, limit) =>
      read(() =>
        listedPage(db, { prefix: DEMAND_RATINGS, from, limit }, (key, wallet) =>
          decodeStoredRating(key, readRaw(db, key), wallet),
        ),
      ),
    verdicts: (from, limit) =>
      read(() =>
        listedPage(db, { prefix: HISTORIES, from, limit }, (key) => {
          const run = runOfHistoryKey(key);
          // What never was in force is nobody's past.
          if (!db.doesExist(publishedKey(run))) return null;
          return { wallet: walletOfHistoryKey(key), run, ...decodeVerdict(key, readRaw(db, key)) };
        }),
      ),
  };
}
