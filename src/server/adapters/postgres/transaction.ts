import type { PoolClient } from 'pg';
import type { Outcome } from '../commits/job-queue.js';
import { isDataFault, isFromServer, isOutOfDate, isOvertaken } from './faults.js';
import { type Query, queryOver } from './query.js';

/**
 * Limits of the server's patience hold for the transaction alone, so that a pooler between needs to
 * know nothing of them. Without them its process goes on waiting when nobody waits for it any more.
 */
export const BEGIN =
  'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 3000; SET LOCAL statement_timeout = 4000; ' +
  'SET LOCAL idle_in_transaction_session_timeout = 5000';
const BACKEND = 'SELECT pg_backend_pid() AS pid';
/** The rows of one transaction. */
export interface Batch {
  /** Locks and reads what was named. */
  lock(query: Query): Promise<void>;
  readonly isUnchanged: boolean;
  /** Rows were changed that are not locked. */
  readonly hasUnread: boolean;
  lockUnread(query: Query): Promise<void>;
  /** Saves what was changed, with a mark of this id. */
  save(query: Query, id: string): readonly Promise<unknown>[];
  /** What ends a transaction that changed nothing. */
  endTurns(query: Query): Promise<unknown>;
}

/** What one caller wants done inside a transaction. */
export interface Work<Through, T> {
  /** Names the rows. */
  want(batch: Through): void;
  /**
   * May throw: then only this caller's promise rejects, and nothing of it is written. May run
   * again.
   */
  run(batch: Through): T;
}

/** How an attempt at a transaction ended. */
export type Attempt =
  | { readonly kind: 'committed'; readonly outcomes: readonly Outcome[] }
  /** Rows had changed: it may go through when it is made anew. */
  | { readonly kind: 'overtaken'; readonly error: unknown }
  /** Something that was to be written is wrong. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Nothing was written. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The connection broke after the end was sent. */
  | { readonly kind: 'lost'; readonly error: unknown; readonly outcomes: readonly Outcome[] };

/**
 * One attempt at a transaction: two round trips, in each of which all questions are under way at
 * once.
 */
export class Transaction<Through extends Batch> {
  /** The process of the server that works on it, once it is known. */
  pid: number | null = null;
  readonly #client: PoolClient;
  readonly #query: Query;
  readonly #batch: Through;
  /** The first: all that follows it is refused too, which may be heard of before. */
  #fault: unknown = null;

  constructor(client: PoolClient, batch: Through) {
    this.#client = client;
    this.#batch = batch;
    const query = queryOver(client);
    this.#query = (name, text, values) => {
      const answer = query(name, text, values);
      answer.catch((error: unknown) => {
        this.#fault ??= error;
      });
      return answer;
    };
  }

  async run(works: readonly Work<Through, unknown>[], id: string): Promise<Attempt> {
    for (const work of works) work.want(this.#batch);
    let outcomes: readonly Outcome[];
    try {
      await this.#begin();
      outcomes = works.map((work) => this.#decide(work));
      if (this.#batch.isUnchanged) {
        await Promise.all([this.#batch.endTurns(this.#query), this.#client.query('COMMIT')]);
        return { kind: 'committed', outcomes };
      }
      if (this.#batch.hasUnread) await this.#batch.lockUnread(this.#query);
    } catch (error) {
      return this.#giveUp(this.#fault ?? error);
    }
    let saved: readonly Promise<unknown>[];
    try {
      saved = this.#batch.save(this.#query, id);
    } catch (error) {
      return this.#giveUp(this.#fault ?? error, 'refused');
    }
    return this.#commit(saved, outcomes);
  }

  async #begin(): Promise<void> {
    const [, backend] = await Promise.all([
      this.#client.query(BEGIN),
      this.#query('backend', BACKEND),
      this.#batch.lock(this.#query),
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
