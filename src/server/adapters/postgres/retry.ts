import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { codeOf, isFromServer, isOvertaken } from './faults.js';
import { lending } from './pool.js';
import type { Query, Statement } from './query.js';
import { BEGIN } from './transaction.js';

/** How often a transaction that others got in the way of is run again. */
const TRIES_MAX = 5;
const OLD_REVISION = 'PF001';

/**
 * Runs statements in one transaction, all of them under way at once: one round trip. Returns what
 * each found, in order. Rejects with the error of the first one that failed; then nothing of it is
 * done, unless the connection broke on the way. What PF001 says is for the caller: with the same
 * values it would be said again.
 */
export async function transactWithRetry(pool: Pool, statements: readonly Statement[]): Promise<readonly QueryResult[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact(pool, statements);
    } catch (error) {
      if (tries === TRIES_MAX || !isOvertaken(error) || codeOf(error) === OLD_REVISION) throw error;
    }
  }
}

/** Runs one statement that changes rows, likewise, and returns its rows. */
export async function changeRows<Row extends QueryResultRow>(pool: Pool, statement: Statement): Promise<Row[]> {
  const [result] = await transactWithRetry(pool, [statement]);
  return result!.rows;
}

/** Returns how to run statements that change rows, likewise. */
export function changesOver(pool: Pool): Query {
  return async (_, text, values = []) => (await transactWithRetry(pool, [{ text, values }]))[0]!;
}

/** Runs a statement that says, as `removed`, how many rows it has removed. */
export async function countRemoved(pool: Pool, statement: Statement): Promise<number> {
  const [found] = await changeRows<{ removed: number }>(pool, statement);
  return found?.removed ?? 0;
}

/** Whether a transaction ended because a change did not meet the rows that it was decided on. */
export function isRefusedChange(error: unknown): boolean {
  return codeOf(error) === OLD_REVISION;
}

/**
 * Returns the statement that ends the transaction unless the change finds so many rows
 * (migrations/001_money.sql).
 */
export function expecting(rows: number, { text, values = [] }: Statement): Statement {
  return { text: `WITH met AS (${text}) SELECT expect_rows((SELECT count(*) FROM met), ${rows})`, values };
}

async function transact(pool: Pool, statements: readonly Statement[]): Promise<readonly QueryResult[]> {
  return lending(await pool.connect(), async (client, drop) => {
    const all = [{ text: BEGIN }, ...statements, { text: 'COMMIT' }];
    const sent = all.map(({ text, values = [] }: Statement) => client.query(text, [...values]));
    const answers = await Promise.allSettled(sent);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed === undefined) {
      return answers.slice(1, -1).map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
    }
    if (!isFromServer(failed.reason)) drop();
    throw failed.reason;
  });
}
