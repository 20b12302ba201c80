import type { TapeWallet } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Board, RunReport } from '#ports/ratings-store';
import { decodeBoard, decodeRun, decodeRunReport, decodeStoredRating } from '../../rows/rating-rows.js';
import { CachedRows, type Rows, readRaw } from '../raw.js';
import { BOARD_KEY, DRAFT_KEY, demandKey, PROFILE_MEAN_KEY, RUN_REPORT_KEY, ratingKey } from './keys.js';

// Each reader works inside a write transaction as well: there it sees what has been written so far.

/** Returns a row by its key, or null. */
export function readRow<T>(db: Rows, key: string, decode: (key: string, raw: unknown) => T): T | null {
  const raw = readRaw(db, key);
  return raw === undefined ? null : decode(key, raw);
}

/** Returns the board in force, or null. Throws the OutsideError that names a malformed row. */
export function readBoard(db: Rows): Board | null {
  return readRow(db, BOARD_KEY, decodeBoard);
}

/** Returns `readBoard` for a question that comes with every call. Not for transactions. */
export function cachedBoard(db: Rows): () => Board | null {
  const cached = new CachedRows<Board>(db, 1);
  return () => cached.read(BOARD_KEY, decodeBoard);
}

/** Ratings that are kept as they were last understood: some kilobytes each. */
const RATINGS_CACHED_MAX = 2_000;

/**
 * Returns how the ratings of a wallet are read, in the run of the board and on demand, which comes
 * with every call. Not for transactions.
 */
export function cachedRatings(db: Rows): {
  readonly ofBoard: (board: Board | null, wallet: TapeWallet) => StoredRating | null;
  readonly onDemand: (wallet: TapeWallet) => StoredRating | null;
} {
  const cached = new CachedRows<StoredRating>(db, RATINGS_CACHED_MAX);
  const read = (key: string, wallet: TapeWallet) => cached.read(key, (_, raw) => decodeStoredRating(key, raw, wallet));
  return {
    ofBoard: (board, wallet) => (board === null ? null : read(ratingKey(board.run, wallet), wallet)),
    onDemand: (wallet) => read(demandKey(wallet), wallet),
  };
}

/** Returns the newest run that began to keep ratings; 0: none did. */
export function readDraft(db: Rows): number {
  return readRow(db, DRAFT_KEY, decodeRun) ?? 0;
}

/** Returns the wallet's newest rating on demand, or null. */
export function readDemandRating(db: Rows, wallet: TapeWallet): StoredRating | null {
  return readRow(db, demandKey(wallet), (key, raw) => decodeStoredRating(key, raw, wallet));
}

/** Returns how the last run went, or null. */
export function readRunReport(db: Rows): RunReport | null {
  return readRow(db, RUN_REPORT_KEY, decodeRunReport);
}

/** Returns the milliseconds that a wallet took in an earlier life; null: not known. */
export function readProfileMean(db: Rows): number | null {
  return readRow(db, PROFILE_MEAN_KEY, decodeRun);
}
