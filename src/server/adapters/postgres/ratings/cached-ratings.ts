import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { TapeWallet } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Stopwatch } from '#system/stopwatch';
import { decodeStoredRating } from '../../rows/rating-rows.js';
import { decoded, fromDoc } from '../doc.js';
import { queryRows } from '../query.js';
import { BOARD_CACHED_MS, type CachedBoard } from './cached-board.js';

/** Ratings held in memory, about 4 kB each. */
const RATINGS_CACHED_MAX = 5_000;
/** Wallets looked up by one statement. */
const LOOK_UPS_MAX = 500;

/** What was found of a wallet; the run in force where it was read, too, if it matters. */
interface Found {
  readonly run: number | null;
  readonly stored: StoredRating | null;
}

/**
 * Ratings, which every call about a wallet needs: those of the board are kept for as long as its
 * run is in force, those on demand for five seconds. All that one turn of the process looks up is
 * one question.
 */
export class CachedRatings {
  readonly #board: CachedBoard;
  /** By run and wallet. */
  readonly #ofRun = new LRUCache<string, { readonly stored: StoredRating | null }>({ max: RATINGS_CACHED_MAX });
  readonly #onDemand: LRUCache<TapeWallet, StoredRating>;
  readonly #boardLookUps: DataLoader<TapeWallet, Found>;
  readonly #demandLookUps: DataLoader<TapeWallet, StoredRating | null>;

  constructor(pool: Pool, board: CachedBoard, stopwatch: Stopwatch) {
    this.#board = board;
    this.#onDemand = new LRUCache({
      max: RATINGS_CACHED_MAX,
      ttl: BOARD_CACHED_MS,
      ttlResolution: 0,
      perf: { now: () => stopwatch.elapsedMs() },
    });
    const options = { cache: false, maxBatchSize: LOOK_UPS_MAX };
    this.#boardLookUps = new DataLoader((wallets) => readBoardRatings(pool, wallets), options);
    this.#demandLookUps = new DataLoader((wallets) => readDemandRatings(pool, wallets), options);
  }

  /** Returns the wallet's rating in the run in force, or null. */
  async boardRating(wallet: TapeWallet): Promise<StoredRating | null> {
    const board = await this.#board.read();
    if (board === null) return null;
    const cached = this.#ofRun.get(keyOf(board.run, wallet));
    if (cached !== undefined) return cached.stored;
    // The run comes with the rating: of one that is not in force any more the ratings may be gone.
    const { run, stored } = await this.#boardLookUps.load(wallet);
    this.#board.noteRun(run);
    if (run !== null) this.#ofRun.set(keyOf(run, wallet), { stored });
    return stored;
  }

  /** Returns the wallet's newest rating on demand, or null. */
  async demandRating(wallet: TapeWallet): Promise<StoredRating | null> {
    const cached = this.#onDemand.get(wallet);
    if (cached !== undefined) return cached;
    const stored = await this.#demandLookUps.load(wallet);
    if (stored !== null) this.#onDemand.set(wallet, stored);
    return stored;
  }

  /** This process has kept a rating on demand. */
  putDemandRating(stored: StoredRating): void {
    this.#onDemand.set(stored.rating.wallet, stored);
  }

  /** This process has put a board in force, and with it old ratings are forgotten. */
  clear(): void {
    this.#onDemand.clear();
  }
}

const keyOf = (run: number, wallet: TapeWallet) => `${run}/${wallet}`;

async function readBoardRatings(pool: Pool, wallets: readonly TapeWallet[]): Promise<readonly (Found | Error)[]> {
  const rows = await queryRows<{ run: number; wallet: TapeWallet | null; doc: string | null }>(pool, {
    text: `SELECT b.run, r.wallet, r.doc FROM board b LEFT JOIN rating r ON r.run = b.run AND r.wallet = ANY($1)`,
    values: [wallets],
  });
  const run = rows[0]?.run ?? null;
  const docs = new Map(rows.flatMap(({ wallet, doc }) => (wallet === null || doc === null ? [] : [[wallet, doc]])));
  return wallets.map((wallet) =>
    decoded(() => ({ run, stored: toStored(`rating/${run}/${wallet}`, docs.get(wallet), wallet) })),
  );
}

async function readDemandRatings(
  pool: Pool,
  wallets: readonly TapeWallet[],
): Promise<readonly (StoredRating | null | Error)[]> {
  const text = 'SELECT wallet, doc FROM demand_rating WHERE wallet = ANY($1)';
  const rows = await queryRows<{ wallet: TapeWallet; doc: string }>(pool, { text, values: [wallets] });
  const docs = new Map(rows.map(({ wallet, doc }) => [wallet, doc]));
  return wallets.map((wallet) => decoded(() => toStored(`demand/${wallet}`, docs.get(wallet), wallet)));
}

function toStored(key: string, doc: string | undefined, wallet: TapeWallet): StoredRating | null {
  return doc === undefined ? null : fromDoc(key, doc, (_, raw) => decodeStoredRating(key, raw, wallet));
}
