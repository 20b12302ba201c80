import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OutsideError } from '#domain/errors';
import { systemStopwatch } from '../process/system-clock.js';
import { systemRandom } from '../process/system-random.js';
import { type Ask, asking } from './ask.js';
import { isDataFault, isFromServer, isOutOfDate, isOvertaken, storeError } from './faults.js';

/** Decisions that may wait for a transaction; beyond it callers are turned away. */
const WAITING_MAX = 10_000;
/** Decisions in one transaction. */
const BATCH_MAX = 512;
/** Transactions at once: while one waits for the disk, the next one is put together. */
const TRANSACTIONS_AT_ONCE = 2;
/** Whoever waits longer for a transaction than this is refused, and nothing of it was done. */
const WAIT_MS_MAX = 3_000;
/** How often a batch is made anew because rows had changed. */
const TRIES_MAX = 50;
/** Many callers' changes are made anew together this often; then it is found out whose change it is that never goes through. */
const TRIES_TOGETHER_MAX = 10;
const TRY_PAUSE_MS_MAX = 20;
/** How long it is looked for whether a transaction whose answer was lost has been committed. */
const LOOK_MS_MAX = 2_000;
const LOOK_EVERY_MS = 100;

/** Limits of the server's patience hold for the transaction alone, so that a pooler between needs to know nothing of them. */
const BEGIN =
  'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 3000; SET LOCAL statement_timeout = 4000; ' +
  'SET LOCAL idle_in_transaction_session_timeout = 5000';
const BACKEND = 'SELECT pg_backend_pid() AS pid';
/** A standby knows neither the processes of its primary, nor all that was committed there. */
const FIND_BACKEND = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 UNION ALL SELECT 1 WHERE pg_is_in_recovery()';
const FIND_MARK = 'SELECT 1 FROM batch_mark WHERE id = $1::uuid';

/** The rows of one transaction. */
export interface Batch {
  /** Locks and reads what was named. */
  lock(ask: Ask): Promise<void>;
  readonly isUnchanged: boolean;
  /** Rows were changed that are not locked. */
  readonly hasUnread: boolean;
  lockUnread(ask: Ask): Promise<void>;
  /** Saves what was changed, with a mark of this id. */
  save(ask: Ask, id: string): readonly Promise<unknown>[];
  /** What ends a transaction that changed nothing. */
  endTurns(ask: Ask): Promise<unknown>;
}

/** What one caller wants done inside a transaction. */
interface Work<Through, T> {
  /** Names the rows. */
  want(batch: Through): void;
  /** May throw: then only this caller's promise rejects, and nothing of it is written. May run again. */
  run(batch: Through): T;
}

export interface Commits<Through> {
  /** Resolves with the result when the transaction is committed. */
  run<T>(work: Work<Through, T>): Promise<T>;
  /** How much waits for a transaction, and since when. */
  waiting(): { readonly count: number; readonly sinceMs: number | null };
  /** Takes no more work, and resolves when all that was taken is done. */
  stop(): Promise<void>;
}

interface Job<Through> {
  readonly work: Work<Through, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** How an attempt at a transaction ended. */
type Attempt =
  | { readonly kind: 'committed'; readonly outcomes: readonly Outcome[] }
  /** Rows had changed: it may go through when it is made anew. */
  | { readonly kind: 'overtaken'; readonly error: unknown }
  /** Something that was to be written is wrong. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Nothing was written. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The connection broke after the end was sent. */
  | { readonly kind: 'lost'; readonly error: unknown; readonly outcomes: readonly Outcome[] };

/** Carries many callers' work in few transactions. */
export function openCommits<Through extends Batch>(
  { writers, readers }: { readonly writers: Pool; readonly readers: Pool },
  openBatch: () => Through,
): Commits<Through> {
  let waiting: Job<Through>[] = [];
  let stopped = false;
  const running = new Set<Promise<void>>();

  function pump(): void {
    while (waiting.length > 0 && running.size < TRANSACTIONS_AT_ONCE) {
      const jobs = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      const batch = runBatch(jobs)
        .catch((error: unknown) => rejectAll(jobs, storeError(error, 'unknown')))
        .finally(() => {
          running.delete(batch);
          pump();
        });
      running.add(batch);
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
        case 'lost':
          return settleLost(jobs, attempt, await findOut(id, pid));
      }
    }
    if (jobs.length > 1) await carryOutApart(jobs);
    else rejectAll(jobs, storeError(last));
  }

  /** One of them is at fault, and the others are not to be refused for it: it is looked for half by half. */
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
    let broken: unknown = null;
    const onError = (error: unknown) => {
      broken = error;
    };
    // A connection that breaks while nobody has asked anything says so here alone; unheard, that ends the process.
    client.on('error', onError);
    try {
      const transaction = new Transaction(client, openBatch());
      const attempt = await transaction.run(jobs, id);
      if (attempt.kind !== 'committed' && (!isFromServer(attempt.error) || isOutOfDate(attempt.error)))
        broken ??= attempt.error;
      return { attempt, pid: transaction.pid };
    } finally {
      client.off('error', onError);
      client.release(broken === null ? undefined : true);
    }
  }

  /** Whether a transaction was committed whose answer was lost; null: that cannot be found out in time. */
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
      await sleep(LOOK_EVERY_MS);
    } while (systemStopwatch.elapsedMs() < untilMs);
    return null;
  }

  return {
    run<T>(work: Work<Through, T>): Promise<T> {
      if (stopped) return Promise.reject(refused('is closed; start the service again'));
      if (waiting.length >= WAITING_MAX) return Promise.reject(refused('has too many changes waiting; try again'));
      return new Promise<unknown>((resolve, reject) => {
        waiting.push({ work, resolve, reject, sinceMs: systemStopwatch.elapsedMs() });
        // What is asked for in one turn of the event loop goes into one transaction.
        if (waiting.length === 1) setImmediate(pump);
      }) as Promise<T>;
    },
    waiting: () => ({ count: waiting.length, sinceMs: waiting[0]?.sinceMs ?? null }),
    async stop() {
      stopped = true;
      pump();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** One attempt at a transaction: two round trips, in each of which all questions are under way at once. */
class Transaction<Through extends Batch> {
  /** The process of the server that works on it, once it is known. */
  pid: number | null = null;
  readonly #client: PoolClient;
  readonly #ask: Ask;
  readonly #batch: Through;
  /** The first: all that follows it is refused too, which may be heard of before. */
  #fault: unknown = null;

  constructor(client: PoolClient, batch: Through) {
    this.#client = client;
    this.#batch = batch;
    const ask = asking(client);
    this.#ask = (name, text, values) => {
      const answer = ask(name, text, values);
      answer.catch((error: unknown) => {
        this.#fault ??= error;
      });
      return answer;
    };
  }

  async run(jobs: readonly Job<Through>[], id: string): Promise<Attempt> {
    for (const { work } of jobs) work.want(this.#batch);
    let outcomes: readonly Outcome[];
    try {
      await this.#begin();
      outcomes = jobs.map(({ work }) => this.#decide(work));
      if (this.#batch.isUnchanged) {
        await Promise.all([this.#batch.endTurns(this.#ask), this.#client.query('COMMIT')]);
        return { kind: 'committed', outcomes };
      }
      if (this.#batch.hasUnread) await this.#batch.lockUnread(this.#ask);
    } catch (error) {
      return this.#giveUp(this.#fault ?? error);
    }
    let saved: readonly Promise<unknown>[];
    try {
      saved = this.#batch.save(this.#ask, id);
    } catch (error) {
      return this.#giveUp(this.#fault ?? error, 'refused');
    }
    return this.#commit(saved, outcomes);
  }

  async #begin(): Promise<void> {
    const [, backend] = await Promise.all([
      this.#client.query(BEGIN),
      this.#ask('backend', BACKEND),
      this.#batch.lock(this.#ask),
    ]);
    this.pid = (backend.rows[0]?.pid as number | undefined) ?? null;
  }

  #decide(work: Work<Through, unknown>): Outcome {
    try {
      return { result: work.run(this.#batch) };
    } catch (error) {
      return { error };
    }
  }

  async #commit(saved: readonly Promise<unknown>[], outcomes: readonly Outcome[]): Promise<Attempt> {
    const sent = await Promise.allSettled([...saved, this.#client.query('COMMIT')]);
    const failed = sent.find((one) => one.status === 'rejected');
    if (failed === undefined) return { kind: 'committed', outcomes };
    const error: unknown = failed.reason;
    // After an error of the server all that follows is refused, and the end undoes the transaction.
    if (isFromServer(error)) return { kind: kindOf(error), error };
    return { kind: 'lost', error, outcomes };
  }

  /** `refused`: it is what was to be written that is wrong, and not the connection. */
  async #giveUp(error: unknown, kind?: 'refused'): Promise<Attempt> {
    if (kind === undefined && !isFromServer(error)) return { kind: 'failed', error };
    try {
      await this.#client.query('ROLLBACK');
    } catch (lost) {
      return { kind: 'failed', error: lost };
    }
    return { kind: kind ?? kindOf(error), error };
  }
}

function kindOf(error: unknown): 'overtaken' | 'refused' | 'failed' {
  if (isOvertaken(error) || isOutOfDate(error)) return 'overtaken';
  return isDataFault(error) ? 'refused' : 'failed';
}

function settle(jobs: readonly Job<never>[], outcomes: readonly Outcome[]): void {
  jobs.forEach((job, n) => {
    const outcome = outcomes[n]!;
    if ('result' in outcome) job.resolve(outcome.result);
    else job.reject(outcome.error);
  });
}

function settleLost(
  jobs: readonly Job<never>[],
  { outcomes, error }: Extract<Attempt, { kind: 'lost' }>,
  isCommitted: boolean | null,
): void {
  if (isCommitted === true) settle(jobs, outcomes);
  else rejectAll(jobs, isCommitted === false ? storeError(error) : unknownEnd(error));
}

function rejectAll(jobs: readonly Job<never>[], error: unknown): void {
  for (const job of jobs) job.reject(error);
}

function unknownEnd(cause: unknown): OutsideError {
  const text = 'the database went away before it said whether a change was made; look at it, then try again';
  return new OutsideError('store', text, { failure: 'unknown', cause });
}

function refused(why: string): OutsideError {
  return new OutsideError('store', `the store ${why}`, { failure: 'retryable' });
}
