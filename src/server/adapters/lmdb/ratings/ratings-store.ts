import { join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { RatingsListing, RatingsStore, WalletRow, WalletRowsPage } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { type Host, systemHost } from '../../process/host.js';
import {
  decodeStoredRating,
  decodeVerdict,
  decodeWalletRow,
  encodeRun,
  encodeRunReport,
  encodeStoredRating,
  encodeWalletRow,
} from '../../rows/rating-rows.js';
import { type Batch, openCommits } from '../commits.js';
import { RATINGS_FILE_VERSION } from '../file-versions.js';
import { listedPage } from '../listed.js';
import { closeLmdbFile, openLmdbFile } from '../open.js';
import { page, putRow, type Rows, readRaw } from '../raw.js';
import { lmdbBases } from './bases.js';
import { lmdbFollows } from './follows.js';
import { readHistory, trimHistory } from './histories.js';
import { lmdbJobLeases } from './job-leases.js';
import {
  DEMAND_RATINGS,
  demandKey,
  HISTORIES,
  PROFILE_MEAN_KEY,
  partsOfRatingKey,
  publishedKey,
  RUN_REPORT_KEY,
  ratingsOfRun,
  runOfHistoryKey,
  WALLET_ROWS,
  walletOfHistoryKey,
  walletOfRowKey,
  walletRowKey,
} from './keys.js';
import { cachedBoard, cachedRatings, readDraft, readProfileMean, readRow, readRunReport } from './reads.js';
import { keepRatings, publishRun } from './runs.js';
import { lmdbScores } from './scores.js';

/** Returns where the ratings of a data directory lie. */
export function lmdbRatingsPath(dataDir: string): string {
  return join(dataDir, 'ratings.lmdb');
}

/** Every row of the ratings is written as it comes; none is worth holding back. */
const WRITTEN_THROUGH: Batch = { finish: () => undefined };

export interface LmdbRatingsOptions {
  readonly path: string;
  /** The machine that leases are written on; this one, unless a test says otherwise. */
  readonly host?: Host;
}

/**
 * Opens (or makes) the ratings. They have a file of their own: all of it can be made again from the
 * tape, and a nightly run must not make a payment wait. Several processes may have it open. Throws
 * an OutsideError where it cannot be opened.
 */
export function openLmdbRatings({ path, host = systemHost }: LmdbRatingsOptions): RatingsStore {
  const db = openLmdbFile({ path, version: RATINGS_FILE_VERSION, remedy: 'remove it, and rate the tape again' });
  const commits = openCommits(db, () => WRITTEN_THROUGH);
  const boardInForce = cachedBoard(db);
  const saved = cachedRatings(db);
  let closing: Promise<void> | null = null;

  // lmdb reads synchronously from mapped memory; `async` turns what is thrown into a rejection.
  const read = async <T>(from: () => T): Promise<T> => {
    if (closing !== null) throw new OutsideError('store', 'the ratings are closed', { failure: 'retryable' });
    return from();
  };
  const write = (put: () => void): Promise<void> => commits.run({ decide: () => ({ result: undefined, write: put }) });

  return {
    board: () => read(boardInForce),
    newestRun: () => read(() => readDraft(db)),
    putBoardRatings: (run, ratings) => keepRatings(db, commits, run, ratings),
    publish: (board, hold, followed) => publishRun(db, commits, { board, hold, followed }),
    boardRating: (wallet) => read(() => saved.ofBoard(boardInForce(), wallet)),
    history: (wallet, limit) => read(() => readHistory(db, wallet, limit)),
    trimHistory: async (beforeS, from, limit) => {
      await read(() => null);
      return trimHistory(db, commits, { beforeS, from, limit });
    },

    demandRating: (wallet) => read(() => saved.onDemand(wallet)),
    putDemandRating: (stored) =>
      write(() => {
        putRow(db, demandKey(stored.rating.wallet), encodeStoredRating(stored));
        db.remove(walletRowKey(stored.rating.wallet));
      }),

    walletRow: (wallet) => read(() => readWalletRow(db, wallet)),
    putWalletRow: (row) => write(() => putRow(db, walletRowKey(row.wallet), encodeWalletRow(row))),
    removeWalletRow: (wallet) => write(() => db.remove(walletRowKey(wallet))),
    walletRows: (from, limit) => read(() => readWalletRows(db, from, limit)),

    profileMeanMs: () => read(() => readProfileMean(db)),
    putProfileMeanMs: (meanMs) => write(() => putRow(db, PROFILE_MEAN_KEY, encodeRun(meanMs))),

    runReport: () => read(() => readRunReport(db)),
    putRunReport: (report) => write(() => putRow(db, RUN_REPORT_KEY, encodeRunReport(report))),
    listing: ratingsListing(db, read),
    jobs: lmdbJobLeases(db, commits, host),
    scores: lmdbScores(db, commits, read),
    bases: lmdbBases(db, commits, read),
    follows: lmdbFollows(db, commits, read),
    close() {
      closing ??= commits.stop().then(() => closeLmdbFile(db, path));
      return closing;
    },
  };
}

/** Returns a wallet in work, or null. */
function readWalletRow(db: Rows, wallet: WalletAddress): WalletRow | null {
  return readRow(db, walletRowKey(wallet), (key, raw) => decodeWalletRow(key, raw, wallet));
}

/** Returns a page of the wallets in work. */
function readWalletRows(db: Rows, from: Cursor, limit: number): WalletRowsPage {
  const { keys, next } = page(db, WALLET_ROWS, from, limit);
  const items: WalletRow[] = [];
  const malformed: { readonly wallet: WalletAddress; readonly error: Error }[] = [];
  for (const wallet of keys.map(walletOfRowKey)) {
    try {
      const row = readWalletRow(db, wallet);
      if (row !== null) items.push(row);
    } catch (error) {
      malformed.push({ wallet, error: error as Error });
    }
  }
  return { items, next, ...(malformed.length === 0 ? {} : { malformed }) };
}

/** Returns the listing of the ratings in the file. Each page is read at one moment. */
function ratingsListing(db: Rows, read: <T>(from: () => T) => Promise<T>): RatingsListing {
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
