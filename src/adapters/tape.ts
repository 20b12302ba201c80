import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { Tape } from '#ports/tape';
import { compactTape } from './tape-compaction.js';
import { importCsv } from './tape-csv.js';
import { openTapeDatabase, type TapeSession } from './tape-database.js';
import { readProgress, saveProgress } from './tape-progress.js';
import { rateBoard } from './tape-rating.js';
import { fillsOf, marketsOf, namesOf, readStatus, unknownConditions, unresolvedConditions } from './tape-reads.js';
import { openSpillFolder } from './tape-spill.js';
import { verifyTape } from './tape-verify.js';
import { addFills, addMarkets, addNames } from './tape-writes.js';

export interface TapeOptions {
  /** Created where it does not exist. Several processes may have it open. */
  readonly dir: string;
  readonly threads?: number;
  /** As DuckDB reads it. What is above goes to the folder. */
  readonly memoryLimit?: string;
}

const THREADS = 2;
const MEMORY_LIMIT = '1GB';

/**
 * Opens the tape of a folder: Parquet files of fills, markets and names, and DuckDB in memory to ask them.
 *
 *     fills/day=2026-07-01/<segment>~<version>.<digest>.parquet   as they arrive
 *     sorted/<generation>/{fills,places}-<n>.<digest>.parquet     by wallet, token and time, in ranges of wallets
 *     markets/, names/                                            numbered, newer rows over older ones
 *     progress/<job>.json
 *     manifest.json                                               which of them count
 */
export async function openTape({ dir, threads = THREADS, memoryLimit = MEMORY_LIMIT }: TapeOptions): Promise<Tape> {
  const { database, spill } = await guarded(async () => {
    await mkdir(dir, { recursive: true });
    const spill = await openSpillFolder(join(dir, 'tmp'));
    return { spill, database: await openTapeDatabase({ threads, memoryLimit, spillFolder: spill.path }) };
  });
  const ask = <Result>(work: (session: TapeSession) => Promise<Result>) => guarded(() => database.session(work));
  return {
    addFills: (segment, fills) => guarded(() => addFills(database, dir, segment, fills)),
    addMarkets: (markets) => guarded(() => addMarkets(database, dir, markets)),
    addNames: (names) => guarded(() => addNames(database, dir, names)),
    importCsv: (files, progress) => guarded(() => importCsv(database, dir, files, progress)),
    compact: (beforeS, progress) => guarded(() => compactTape(database, dir, beforeS, progress)),

    fillsOf: (wallet) => ask((session) => fillsOf(session, dir, wallet)),
    marketsOf: (conditions) => ask((session) => marketsOf(session, dir, conditions)),
    namesOf: (wallets) => ask((session) => namesOf(session, dir, wallets)),
    unknownConditions: (limit) => ask((session) => unknownConditions(session, dir, limit)),
    unresolvedConditions: (nowS, limit) => ask((session) => unresolvedConditions(session, dir, nowS, limit)),

    rateAll: (asOfS, config, options = {}) =>
      guardedItems(database.sessionOf((session) => rateBoard(session, dir, asOfS, config, options))),

    progressOf: (job) => guarded(() => readProgress(dir, job)),
    saveProgress: (job, progress) => guarded(() => saveProgress(dir, job, progress)),

    status: () => ask((session) => readStatus(session, dir)),
    verify: (progress) => ask((session) => verifyTape(session, dir, progress)),
    close: () =>
      guarded(async () => {
        database.close();
        await spill.remove();
      }),
  };
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toOutsideError(error);
  }
}

async function* guardedItems<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw toOutsideError(error);
  }
}

/** Whatever fails here may be asked again: what is added is whole or not there, and reading changes nothing. */
function toOutsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new OutsideError('tape', text, { failure: 'retryable', cause: error });
}
