import type { Tape } from '#ports/tape';
import { compactTape } from './compaction/compaction.js';
import { RECENT_PCT_MAX } from './compaction/recent.js';
import { importCsv } from './csv/import.js';
import { openTapeDatabase, type TapeSession } from './engine/database.js';
import { toTapeError } from './engine/fault.js';
import { openTapeFolder } from './files/folder.js';
import { readProgress, saveProgress } from './files/progress.js';
import { importHistory } from './history/import.js';
import { importedSpans } from './imports.js';
import { rateBoard, sumOutcomes } from './rating/rating.js';
import { allNames, fillsOf, marketsOf, namesOf } from './reads.js';
import { RANGE_FILLS } from './sorted/ranges.js';
import { readStatus, unknownConditions, unresolvedConditions } from './status.js';
import { verifyTape } from './verify.js';
import { addFills, addRows } from './writes.js';

export interface TapeOptions {
  /** Created where it does not exist. Several processes may have it open. */
  readonly dir: string;
  readonly threads?: number;
  /** As DuckDB reads it. What is above goes to the folder. */
  readonly memoryLimit?: string;
  /**
   * Sorted fills beside the base, in percent of it, above which a compaction merges all of
   * them: 20.
   */
  readonly recentPctMax?: number;
  /** Fills of one file of sorted fills, about, of which a rating takes three at once: 1,000,000. */
  readonly rangeFills?: number;
}

const THREADS = 2;
const MEMORY_LIMIT = '1GB';

/**
 * Opens the tape of a folder: Parquet files of fills, markets and names, and DuckDB in memory to
 * ask them.
 *
 *     fills/day=2026-07-01/<segment>~<version>.<digest>.parquet   as they arrive, by the day of the oldest fill
 *     sorted/<generation>/{fills,places,…}-<n>.<digest>.parquet   by wallet, token and time, in ranges of wallets
 *     markets/, names/                                            numbered, newer rows over older ones
 *     progress/<job>.json
 *     tmp/<machine>-<process>-<handle>/                           what is not whole yet, and what does not fit into memory
 *     manifest.json                                               which of them count
 */
export async function openTape(options: TapeOptions): Promise<Tape> {
  const { dir, threads = THREADS, memoryLimit = MEMORY_LIMIT } = options;
  const { recentPctMax = RECENT_PCT_MAX, rangeFills = RANGE_FILLS } = options;
  const folder = await guarded(() => openTapeFolder(dir));
  const database = await guarded(() => openTapeDatabase({ threads, memoryLimit, spillFolder: folder.scratch }));
  const ask = <Result>(work: (session: TapeSession) => Promise<Result>) => guarded(() => database.session(work));
  return {
    addFills: (segment, fills) => guarded(() => addFills(database, folder, segment, fills)),
    addRows: (table, rows) => guarded(() => addRows(database, folder, table, rows)),
    importCsv: (order, progress) =>
      guarded(() => importCsv(database, folder, order, { recentPctMax, rangeFills, progress })),
    importedSpans: () => ask((session) => importedSpans(session, dir)),
    importHistory: (order, progress) => guarded(() => importHistory(database, folder, order, progress)),
    compact: (beforeS, progress) =>
      guarded(() => compactTape(database, folder, beforeS, { recentPctMax, rangeFills, progress })),

    fillsOf: (wallet) => ask((session) => fillsOf(session, dir, wallet)),
    marketsOf: (conditions) => ask((session) => marketsOf(session, dir, conditions)),
    namesOf: (wallets) => ask((session) => namesOf(session, dir, wallets)),
    names: () => guardedItems(database.sessionOf((session) => allNames(session, dir))),
    unknownConditions: (limit) => ask((session) => unknownConditions(session, dir, limit)),
    unresolvedConditions: (nowS, limit) => ask((session) => unresolvedConditions(session, dir, nowS, limit)),

    rateAll: (asOfS, config, options = {}) =>
      guardedItems(database.sessionOf((session) => rateBoard(session, dir, asOfS, config, { ...options, rangeFills }))),

    outcomes: (span, config, progress) =>
      guardedItems(database.sessionOf((session) => sumOutcomes(session, dir, span, config, progress))),

    progressOf: (job) => guarded(() => readProgress(dir, job)),
    saveProgress: (job, progress) => guarded(() => saveProgress(folder, job, progress)),

    status: () => ask((session) => readStatus(session, dir)),
    verify: (progress) => ask((session) => verifyTape(session, dir, progress)),
    close: () =>
      guarded(async () => {
        database.close();
        await folder.close();
      }),
  };
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toTapeError(error);
  }
}

async function* guardedItems<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw toTapeError(error);
  }
}
