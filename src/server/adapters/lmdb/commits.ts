import { OutsideError } from '#domain/errors';
import { BATCH_MAX, type Job, JobQueue, type Outcome, rejectAll, settle, type Waiting } from '../commits/job-queue.js';
import { countTransaction } from './at-exit.js';
import { Flushes } from './flushes.js';
import { NO_ROW_KEY, type Rows } from './raw.js';

/** Decisions that wait from which on their transaction is begun while others still come. */
const CROWD = 32;
/**
 * A transaction takes half of the decisions that wait, and no fewer than these: while the disk writes
 * the one half, the other one is decided. 256 callers get a tenth more debits a second; of 128 the
 * flush takes longer than the deciding, and two of them gain nothing.
 */
const SHARE_MIN = 128;

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
  waiting(): Waiting;
  /** Takes no more work, and resolves when all that was taken is done. */
  stop(): Promise<void>;
}

/**
 * Starts the one writer of an open database. Each transaction opens a batch of its own, and
 * finishes it at its end.
 */
export function openCommits<Through extends Batch>(db: Rows, openBatch: (db: Rows) => Through): Commits<Through> {
  const queue = new JobQueue<Work<Through, unknown>>();
  const writer = { db, flushes: new Flushes(db), openBatch };
  /** What there is of the transaction that will take the jobs which wait. */
  let next: 'none' | 'asked' | 'begun' = 'none';

  function takeJobs() {
    next = 'none';
    const share = Math.ceil(queue.waiting().count / 2);
    // What is written in this turn of the event loop would still be part of this transaction.
    setImmediate(commitNext);
    return queue.take(Math.min(BATCH_MAX, Math.max(share, SHARE_MIN)));
  }

  /** Called whenever a job comes, and when a transaction may have left some behind. */
  function commitNext(): void {
    const { count } = queue.waiting();
    if (count > 0 && next === 'none') {
      next = 'asked';
      const commit = commitBatch(writer, takeJobs);
      countTransaction(commit);
      queue.follow(commit, commitNext);
    }
    if (count >= CROWD && next === 'asked') {
      next = 'begun';
      beginNow(db);
    }
  }

  return {
    run: (work) => queue.add(work, commitNext),
    waiting: () => queue.waiting(),
    stop: () => queue.stop(),
  };
}

/**
 * Begins the transaction that is asked for, whose turn of the writing thread would else come with
 * the next turn of the event loop: lmdb does so at its second write (`txnStartThreshold`). By the
 * time that all of a crowd have come the thread is ready.
 */
function beginNow(db: Rows): void {
  db.remove(NO_ROW_KEY).catch(() => undefined);
}

/** What every transaction is made with. */
interface Writer<Through> {
  readonly db: Rows;
  readonly flushes: Flushes;
  readonly openBatch: (db: Rows) => Through;
}

/**
 * Runs the jobs that are waiting when the write lock is ours, and answers each when the change is
 * on disk. Never rejects.
 */
async function commitBatch<Through extends Batch>(
  { db, flushes, openBatch }: Writer<Through>,
  takeJobs: () => Job<Work<Through, unknown>>[],
): Promise<void> {
  const jobs: Job<Work<Through, unknown>>[] = [];
  const outcomes: Outcome[] = [];
  try {
    // A child transaction can be rolled back: if a write throws half way, none of the batch stays.
    const committed = db.childTransaction(() => {
      jobs.push(...takeJobs());
      const batch = openBatch(db);
      for (const { work } of jobs) outcomes.push(carryOut(work, batch));
      batch.finish();
    });
    const flush = flushes.next();
    await committed;
    // Not on the word that it is committed: with three of them under way lmdb may give it the
    // outcome of another one.
    await flushes.until(flush);
  } catch (error) {
    if (jobs.length === 0) jobs.push(...takeJobs());
    return rejectAll(jobs, commitFailure(error));
  }
  settle(jobs, outcomes);
  // lmdb keeps a list of what it wrote, and through it these, until the next garbage collection of
  // old objects: emptied, so that they take no request and no answer along.
  jobs.length = 0;
  outcomes.length = 0;
}

/** What the decision throws is its caller's alone; what the writing throws ends the transaction. */
function carryOut<Through>(work: Work<Through, unknown>, batch: Through): Outcome {
  let decided: ReturnType<typeof work.decide>;
  try {
    decided = work.decide(batch);
  } catch (error) {
    return { error };
  }
  decided.write();
  return decided;
}

function commitFailure(error: unknown): OutsideError {
  // lmdb hangs the reason on its error as a promise that rejects; unheard, that would end the
  // process.
  const reason = (error as { commitError?: Promise<unknown> }).commitError;
  reason?.catch(() => undefined);
  const text = error instanceof Error ? error.message : String(error);
  return new OutsideError('store', `a change may not be on disk (${text}); check the disk, then try again`, {
    failure: 'unknown',
    cause: error,
  });
}
