import { OutsideError } from '#domain/errors';
import { systemStopwatch } from '../process/system-clock.js';

/**
 * Jobs that may wait for a transaction; beyond it callers are turned away. At 64 callers no more
 * than 64 wait.
 */
const WAITING_MAX = 10_000;
/** Jobs in one transaction, so that a batch holds the event loop for a few milliseconds at most. */
export const BATCH_MAX = 512;

/** One caller's work, and who waits for it. */
export interface Job<Work> {
  readonly work: Work;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When it came, by the stopwatch. */
  readonly sinceMs: number;
}

/** What came of one caller's work. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** How much waits for a transaction, and since when. */
export interface Waiting {
  readonly count: number;
  readonly sinceMs: number | null;
}

/**
 * The work of many callers that few transactions carry: what waits for one, and the transactions
 * that are under way.
 */
export class JobQueue<Work> {
  #jobs: Job<Work>[] = [];
  #isStopped = false;
  readonly #transactions = new Set<Promise<void>>();

  /**
   * Resolves or rejects as the job is. `onWaiting` gets how many jobs wait once this one does.
   * Rejects what is too much.
   */
  add<T>(work: Work, onWaiting: (count: number) => void): Promise<T> {
    if (this.#isStopped) return Promise.reject(refused('is closed; start the service again'));
    if (this.#jobs.length >= WAITING_MAX) return Promise.reject(refused('has too many changes waiting; try again'));
    return new Promise<unknown>((resolve, reject) => {
      this.#jobs.push({ work, resolve, reject, sinceMs: systemStopwatch.elapsedMs() });
      onWaiting(this.#jobs.length);
    }) as Promise<T>;
  }

  /** Takes the jobs of one transaction, the oldest first. */
  take(max = BATCH_MAX): Job<Work>[] {
    const jobs = this.#jobs.slice(0, max);
    this.#jobs = this.#jobs.slice(max);
    return jobs;
  }

  /** Counts a transaction, which never rejects, until it has ended; then calls `next`. */
  follow(transaction: Promise<void>, next: () => void = () => undefined): void {
    this.#transactions.add(transaction);
    void transaction.then(() => {
      this.#transactions.delete(transaction);
      next();
    });
  }

  get inFlight(): number {
    return this.#transactions.size;
  }

  waiting(): Waiting {
    return { count: this.#jobs.length, sinceMs: this.#jobs[0]?.sinceMs ?? null };
  }

  /** Takes no more work, and resolves when all that was begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#transactions.size > 0) await Promise.all(this.#transactions);
  }
}

/** Answers each job with what came of it. */
export function settle(jobs: readonly Job<unknown>[], outcomes: readonly Outcome[]): void {
  jobs.forEach((job, n) => {
    const outcome = outcomes[n]!;
    if ('result' in outcome) job.resolve(outcome.result);
    else job.reject(outcome.error);
  });
}

/** Answers all jobs with one error. */
export function rejectAll(jobs: readonly Job<unknown>[], error: unknown): void {
  for (const job of jobs) job.reject(error);
}

/**
 * Returns the error of work of which nothing was done. `why`: "is closed; start the service again".
 */
export function refused(why: string): OutsideError {
  return new OutsideError('store', `the store ${why}`, { failure: 'retryable' });
}
