import { OutsideError } from '#domain/errors';
import type { Board } from '#ports/ratings-store';
import type { SharedRatings } from '#ports/wallet-claims';
import type { Stopwatch } from '#system/stopwatch';
import { decodeRun, decodeRunReport, encodeRun, encodeRunReport } from '../../rows/rating-rows.js';
import { docOf, fromDoc } from '../doc.js';
import { isFromServer, storeError } from '../faults.js';
import { pgJobLeases } from '../job-leases.js';
import { pgLimits } from '../limits.js';
import { openPools, type Pools } from '../pool.js';
import { queryRows } from '../query.js';
import { changeRows, transactWithRetry } from '../retry.js';
import { pgBases } from './bases.js';
import { CachedBoard } from './cached-board.js';
import { CachedRatings } from './cached-ratings.js';
import { pgFollows } from './follows.js';
import { readHistory, trimHistory } from './histories.js';
import { ratingsListing } from './listing.js';
import { forgetDemandRatings, forgetRuns, keepRatings, publishRun, readNewestRun } from './runs.js';
import { pgScores } from './scores.js';
import { pgWalletClaims } from './wallet-claims.js';
import { readWalletRows, upsertDemandRating, upsertWalletRow, walletRowLookUps } from './wallet-rows.js';

export interface PgRatingsOptions {
  /**
   * `postgres://…` of a database whose tables have the version of this program
   * (`preflightctl store migrate`).
   */
  readonly url: string;
  readonly stopwatch: Stopwatch;
}

/**
 * Opens the ratings of a database that replicas share. Connections are made when they are needed: a
 * database that is away is heard of by whoever asks.
 */
export function openPgRatings({ url, stopwatch }: PgRatingsOptions): SharedRatings {
  const pools = openPools(url);
  const { readers, writers } = pools;
  const board = new CachedBoard(readers, stopwatch);
  const cached = new CachedRatings(readers, board, stopwatch);
  const findWalletRow = walletRowLookUps(readers);
  const { run, close } = openWork(pools);
  const jobs = pgJobLeases(writers, run);
  /** The run whose predecessors this process has forgotten. */
  let newestRun = 0;

  return {
    board: () => run(() => board.read()),
    newestRun: () => run(() => readNewestRun(readers)),
    putBoardRatings: (ofRun, ratings) =>
      run(async () => {
        await keepRatings(writers, ofRun, ratings);
        if (ofRun > newestRun) await forgetRuns(writers);
        newestRun = Math.max(newestRun, ofRun);
      }),
    publish: (newBoard, hold, followed) =>
      run(async () => {
        await publishOrSee(newBoard, () => publishRun(writers, { board: newBoard, hold, followed }));
        board.put(newBoard);
        await forgetRuns(writers);
        await forgetDemandRatings(writers, newBoard);
        cached.clear();
      }),
    boardRating: (wallet) => run(() => cached.boardRating(wallet)),
    history: (wallet, limit) => run(() => readHistory(readers, wallet, limit)),
    trimHistory: (beforeS, _, limit) => run(() => trimHistory(writers, beforeS, limit)),

    demandRating: (wallet) => run(() => cached.demandRating(wallet)),
    putDemandRating: (stored) =>
      run(async () => {
        const { wallet } = stored.rating;
        const removed = { text: 'DELETE FROM wallet_row WHERE wallet = $1', values: [wallet] };
        await transactWithRetry(writers, [removed, upsertDemandRating(stored)]);
        cached.putDemandRating(stored);
      }),

    walletRow: (wallet) => run(() => findWalletRow(wallet)),
    putWalletRow: (row) => run(() => done(changeRows(writers, upsertWalletRow(row)))),
    removeWalletRow: (wallet) =>
      run(() => done(changeRows(writers, { text: 'DELETE FROM wallet_row WHERE wallet = $1', values: [wallet] }))),
    walletRows: (from, limit) => run(() => readWalletRows(readers, from, limit)),

    profileMeanMs: () => run(() => readOne(pools, 'profile_mean', decodeRun)),
    putProfileMeanMs: (meanMs) => run(() => putOne(pools, 'profile_mean', encodeRun(meanMs))),
    runReport: () => run(() => readOne(pools, 'run_report', decodeRunReport)),
    putRunReport: (report) => run(() => putOne(pools, 'run_report', encodeRunReport(report))),
    listing: ratingsListing(readers, run),
    jobs: {
      ...jobs,
      // Whoever gets the night decides on the board as the last one has left it.
      async claim(job, owner) {
        const hold = await jobs.claim(job, owner);
        if (hold !== null && job === 'night') board.expire();
        return hold;
      },
    },
    scores: pgScores(pools, run),
    bases: pgBases(pools, run, board),
    follows: pgFollows(pools, run),
    limits: pgLimits(writers, run),
    claims: pgWalletClaims(pools, { change: run, onRated: (stored) => cached.putDemandRating(stored) }),
    close,
  };

  /** Where the answer of a commit was lost the board itself tells whether it is in force. */
  async function publishOrSee(newBoard: Board, publish: () => Promise<void>): Promise<void> {
    try {
      await publish();
    } catch (error) {
      if (error instanceof OutsideError || isFromServer(error)) throw error;
      const [found] = await queryRows<{ run: number }>(readers, { text: 'SELECT run FROM board' });
      if (found?.run !== newBoard.run) throw error;
    }
  }
}

type OneRowTable = 'profile_mean' | 'run_report';

async function readOne<T>({ readers }: Pools, table: OneRowTable, decode: (key: string, raw: unknown) => T) {
  const [row] = await queryRows<{ doc: string }>(readers, { text: `SELECT doc FROM ${table}` });
  return row === undefined ? null : fromDoc(table, row.doc, decode);
}

function putOne({ writers }: Pools, table: OneRowTable, raw: unknown): Promise<void> {
  const text = `INSERT INTO ${table} (doc) VALUES ($1) ON CONFLICT (only_one) DO UPDATE SET doc = excluded.doc`;
  return done(changeRows(writers, { text, values: [docOf(raw)] }));
}

async function done(work: Promise<unknown>): Promise<void> {
  await work;
}

/**
 * What is under way, so that closing can wait for it; what fails becomes the error that callers of
 * a store get.
 */
function openWork(pools: Pools) {
  const inFlight = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;
  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (closing !== null) throw new OutsideError('store', 'the ratings are closed', { failure: 'retryable' });
    const working = work();
    inFlight.add(working);
    try {
      return await working;
    } catch (error) {
      throw storeError(error);
    } finally {
      inFlight.delete(working);
    }
  }
  function close(): Promise<void> {
    closing ??= Promise.allSettled([...inFlight]).then(() => pools.end());
    return closing;
  }
  return { run, close };
}
