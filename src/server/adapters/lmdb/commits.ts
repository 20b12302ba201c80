import { OutsideError } from '#domain/errors';
import { systemStopwatch } from '../process/system-clock.js';
import { countTransaction } from './at-exit.js';
import { Flushes } from './flushes.js';
import { NO_ROW_KEY, type Rows } from './raw.js';

/** Decisions that may wait for a transaction; beyond it callers are turned away. At 64 callers no more than 64 wait. */
const WAITING_MAX = 10_000;
/** Decisions in one transaction, so that a batch holds the event loop for a few milliseconds at most. */
const BATCH_MAX = 512;
/** Decisions that wait from which on their transaction is begun while others still come. */
const CROWD = 32;

/** What the decisions of one transaction read and write through. */
export interface Batch {
  /** Writes what was held back. */
  finish(): void;
}

/** What one caller wants done inside a transaction: first choose, then write. */
interface Work<Through, T> {
  /** May throw: then only this caller's promise rejects, and nothing of it is written. */
  decide(batch: Through): { readonly result: T; readonly write: () => void };
}

/** Carries many callers' work in few LMDB transactions, one after the other. */
export interface Commits<Through> {
  /** Resolves with the result when the transaction is on disk. */
  run<T>(work: Work<Through, T>): Promise<T>;
  /** How much waits for a transaction, and since when. */
  waiting(): { readonly count: number; readonly sinceMs: number | null };
  /** Takes no more work, and resolves when all that was taken is done. */
  stop(): Promise<void>;
}

interface Job<Through> {
  work: Work<Through, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  outcome: { readonly result: unknown } | { readonly error: unknown } | null;
}

/** Starts the one writer of an open database. Each transaction opens a batch of its own, and finishes it at its end. */
export function openCommits<Through extends Batch>(db: Rows, openBatch: (db: Rows) => Through): Commits<Through> {
  let waiting: Job<Through>[] = [];
  let waitingSinceMs = 0;
  let stopped = false;
  const running = new Set<Promise<void>>();
  const flushes = new Flushes(db);

  function runNext(): void {
    const commit = commitBatch({ db, flushes, openBatch }, () => {
      const jobs = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      waitingSinceMs = systemStopwatch.elapsedMs();
      return jobs;
    });
    running.add(commit);
    countTransaction(commit);
    void commit.finally(() => running.delete(commit));
  }

  return {
    run<T>(work: Work<Through, T>): Promise<T> {
      if (stopped) return Promise.reject(refused('is closed; start the service again'));
      if (waiting.length >= WAITING_MAX) return Promise.reject(refused('has too many changes waiting; try again'));
      return new Promise<unknown>((resolve, reject) => {
        waiting.push({ work, resolve, reject, outcome: null });
        // The first of every BATCH_MAX asks for one more transaction, so there are always as many as will be needed.
        if (waiting.length % BATCH_MAX === 1) {
          if (waiting.length === 1) waitingSinceMs = systemStopwatch.elapsedMs();
          runNext();
        }
        if (waiting.length === CROWD) beginNow(db);
      }) as Promise<T>;
    },
    waiting: () => ({ count: waiting.length, sinceMs: waiting.length === 0 ? null : waitingSinceMs }),
    async stop() {
      stopped = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/**
 * Begins the transaction that is asked for, whose turn of the writing thread would else come with the next turn of the event
 * loop: lmdb does so at its second write (`txnStartThreshold`). By the time that all of a crowd have come the thread is ready.
 */
function beginNow(db: Rows): void {
  db.remove(NO_ROW_KEY).catch(nothing);
}

/** What every transaction is made with. */
interface Writer<Through> {
  readonly db: Rows;
  readonly flushes: Flushes;
  readonly openBatch: (db: Rows) => Through;
}

/**
 * Runs the jobs that are waiting when the write lock is ours, and answers each when the change is on disk. Never rejects.
 */
async function commitBatch<Through extends Batch>(
  { db, flushes, openBatch }: Writer<Through>,
  takeJobs: () => Job<Through>[],
): Promise<void> {
  const jobs: Job<Through>[] = [];
  try {
    // A child transaction can be rolled back: if a write throws half way, none of the batch stays.
    const committed = db.childTransaction(() => {
      jobs.push(...takeJobs());
      const batch = openBatch(db);
      runJobs(batch, jobs);
      batch.finish();
    });
    const flush = flushes.next();
    await committed;
    // Not on the word that it is committed: with three of them under way lmdb may give it the outcome of another one.
    await flushes.until(flush);
  } catch (error) {
    const failure = commitFailure(error);
    if (jobs.length === 0) jobs.push(...takeJobs());
    for (const job of jobs) job.reject(failure);
    return;
  }
  for (const job of jobs) settle(job);
  // lmdb keeps a list of what it wrote, and through it these jobs, until the next garbage collection of old objects: emptied,
  // so that they take no request and no answer along.
  for (const job of jobs) forget(job);
  jobs.length = 0;
}

const NO_WORK: Work<unknown, never> = {
  decide() {
    throw new Error('this was done');
  },
};
const nothing = () => {};

function forget(job: Job<never>): void {
  job.work = NO_WORK;
  job.resolve = nothing;
  job.reject = nothing;
  job.outcome = null;
}

function runJobs<Through>(batch: Through, jobs: readonly Job<Through>[]): void {
  for (const job of jobs) {
    let decided: ReturnType<Work<Through, unknown>['decide']>;
    try {
      decided = job.work.decide(batch);
    } catch (error) {
      job.outcome = { error };
      continue;
    }
    decided.write();
    job.outcome = decided;
  }
}

function settle({ outcome, resolve, reject }: Job<unknown>): void {
  if (outcome !== null && 'result' in outcome) resolve(outcome.result);
  else reject(outcome?.error);
}

function commitFailure(error: unknown): OutsideError {
  // lmdb hangs the reason on its error as a promise that rejects; unheard, that would end the process.
  const reason = (error as { commitError?: Promise<unknown> }).commitError;
  reason?.catch(() => undefined);
  const text = error instanceof Error ? error.message : String(error);
  return new OutsideError('store', `a change may not be on disk (${text}); check the disk, then try again`, {
    failure: 'unknown',
    cause: error,
  });
}

function refused(why: string): OutsideError {
  return new OutsideError('store', `the store ${why}`, { failure: 'retryable' });
}
