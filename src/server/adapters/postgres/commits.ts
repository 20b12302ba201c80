import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OutsideError } from '#domain/errors';
import { type Job as AnyJob, JobQueue, refused, rejectAll, settle, type Waiting } from '../commits/job-queue.js';
import { systemStopwatch } from '../process/system-clock.js';
import { systemRandom } from '../process/system-random.js';
import { isFromServer, isOutOfDate, storeError } from './faults.js';
import { lending } from './pool.js';
import { type Attempt, type Batch, Transaction, type Work } from './transaction.js';

/** Transactions at once: while one waits for the disk, the next one is put together. */
const TRANSACTIONS_AT_ONCE = 2;
/** Whoever waits longer for a transaction than this is refused, and nothing of it was done. */
const WAIT_MS_MAX = 3_000;
/** How often a batch is made anew because rows had changed. */
const TRIES_MAX = 50;
/**
 * Many callers' changes are made anew together this often; then it is found out whose change it is
 * that never goes through.
 */
const TRIES_TOGETHER_MAX = 10;
const TRY_PAUSE_MS_MAX = 20;
/** How long it is looked for whether a transaction whose answer was lost has been committed. */
const LOOK_MS_MAX = 2_000;
const POLL_INTERVAL_MS = 100;

/** A standby knows neither the processes of its primary, nor all that was committed there. */
const FIND_BACKEND = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 UNION ALL SELECT 1 WHERE pg_is_in_recovery()';
const IS_AT_WORK = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'";
const FIND_MARK = 'SELECT 1 FROM batch_mark WHERE id = $1::uuid';

export interface Commits<Through> {
  /** Resolves with the result when the transaction is committed. */
  run<T>(work: Work<Through, T>): Promise<T>;
  waiting(): Waiting;
  /** Takes no more work, and resolves when all that was taken is done. */
  stop(): Promise<void>;
}

type Job<Through> = AnyJob<Work<Through, unknown>>;

/** Carries many callers' work in few transactions. */
export function openCommits<Through extends Batch>(
  { writers, readers }: { readonly writers: Pool; readonly readers: Pool },
  openBatch: () => Through,
): Commits<Through> {
  const queue = new JobQueue<Work<Through, unknown>>();
  let isStopping = false;

  function pump(): void {
    while (queue.waiting().count > 0 && queue.inFlight < TRANSACTIONS_AT_ONCE) {
      const jobs = queue.take();
      const batch = runBatch(jobs).catch((error: unknown) => rejectAll(jobs, storeError(error, 'unknown')));
      queue.follow(batch, pump);
    }
  }

  async function runBatch(all: readonly Job<Through>[]): Promise<void> {
    const jobs = all.filter((job) => {
      const isLate = systemStopwatch.elapsedMs() - job.sinceMs > WAIT_MS_MAX;
      if (isLate) job.reject(refused(`could not be changed within ${WAIT_MS_MAX} ms; try again`));
      return !isLate;
    });
    if (jobs.length > 0) await carryOut(jobs);
  }

  async function carryOut(jobs: readonly Job<Through>[]): Promise<void> {
    let last: unknown;
    const triesMax = jobs.length === 1 ? TRIES_MAX : TRIES_TOGETHER_MAX;
    for (let tries = 0; tries < triesMax; tries++) {
      const id = randomUUID();
      const { attempt, pid } = await tryOnce(jobs, id);
      switch (attempt.kind) {
        case 'committed':
          return settle(jobs, attempt.outcomes);
        case 'overtaken':
          last = attempt.error;
          await sleep(systemRandom.next() * Math.min(TRY_PAUSE_MS_MAX, 2 ** tries));
          break;
        case 'refused':
          if (jobs.length > 1) return carryOutApart(jobs);
          return rejectAll(jobs, storeError(attempt.error, 'final'));
        case 'failed':
          // A connection may have been dead for long without a word; another one is made.
          if (tries > 0 || isFromServer(attempt.error)) return rejectAll(jobs, storeError(attempt.error));
          break;
        case 'lost': {
          const isCommitted = await findOut(id, pid);
          settleLost(jobs, attempt, isCommitted);
          return isCommitted === null ? untilIdle(pid) : undefined;
        }
      }
    }
    if (jobs.length > 1) await carryOutApart(jobs);
    else rejectAll(jobs, storeError(last));
  }

  /**
   * One of them is at fault, and the others are not to be refused for it: it is looked for half by
   * half.
   */
  async function carryOutApart(jobs: readonly Job<Through>[]): Promise<void> {
    const middle = Math.ceil(jobs.length / 2);
    await carryOut(jobs.slice(0, middle));
    await carryOut(jobs.slice(middle));
  }

  async function tryOnce(
    jobs: readonly Job<Through>[],
    id: string,
  ): Promise<{ readonly attempt: Attempt; readonly pid: number | null }> {
    let client: PoolClient;
    try {
      client = await writers.connect();
    } catch (error) {
      return { attempt: { kind: 'failed', error }, pid: null };
    }
    return lending(client, async (lent, drop) => {
      const transaction = new Transaction(lent, openBatch());
      const works = jobs.map(({ work }) => work);
      const attempt = await transaction.run(works, id);
      if (attempt.kind !== 'committed' && (!isFromServer(attempt.error) || isOutOfDate(attempt.error))) drop();
      return { attempt, pid: transaction.pid };
    });
  }

  /**
   * Whether a transaction was committed whose answer was lost; null: that cannot be found out in
   * time.
   */
  async function findOut(id: string, pid: number | null): Promise<boolean | null> {
    const untilMs = systemStopwatch.elapsedMs() + LOOK_MS_MAX;
    do {
      try {
        // In this order: once it is gone, it commits nothing any more.
        const isGone = pid !== null && (await readers.query(FIND_BACKEND, [pid])).rowCount === 0;
        if ((await readers.query(FIND_MARK, [id])).rowCount !== 0) return true;
        if (isGone) return false;
      } catch {
        // The database is away; it may be back in a moment.
      }
      await sleep(POLL_INTERVAL_MS);
    } while (systemStopwatch.elapsedMs() < untilMs);
    return null;
  }

  /**
   * Resolves when the server's process is no longer at a commit, or that cannot be seen. One that a
   * standby or a disk does not confirm stays at it for as long as that takes; with another one
   * begun in its place again and again the server would run out of connections.
   */
  async function untilIdle(pid: number | null): Promise<void> {
    const isAtWork = () =>
      readers.query(IS_AT_WORK, [pid]).then(
        ({ rowCount }) => rowCount !== 0,
        () => false,
      );
    while (!isStopping && (await isAtWork())) await sleep(POLL_INTERVAL_MS);
  }

  return {
    run: (work) =>
      queue.add(work, (count) => {
        // What is asked for in one turn of the event loop goes into one transaction.
        if (count === 1) setImmediate(pump);
      }),
    waiting: () => queue.waiting(),
    stop() {
      isStopping = true;
      pump();
      return queue.stop();
    },
  };
}

function settleLost(
  jobs: readonly AnyJob<unknown>[],
  { outcomes, error }: Extract<Attempt, { kind: 'lost' }>,
  isCommitted: boolean | null,
): void {
  if (isCommitted === true) settle(jobs, outcomes);
  else rejectAll(jobs, isCommitted === false ? storeError(error) : unknownEnd(error));
}

function unknownEnd(cause: unknown): OutsideError {
  const text = 'the database went away before it said whether a change was made; look at it, then try again';
  return new OutsideError('store', text, { failure: 'unknown', cause });
}
