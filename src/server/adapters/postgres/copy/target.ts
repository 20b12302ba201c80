import type { Client } from 'pg';
import type { CopyProgress, CopyTarget } from '#ports/copy-target';
import { COPYING, KEY_ID } from '../check.js';
import { namingDatabase } from '../faults.js';
import { refuseAtWork } from '../money/leases.js';
import { connectOnce } from '../pool.js';
import { INSERTS } from './rows.js';

/** Every table that has rows once a service has worked on the store. */
const TABLES = [
  ...['account', 'ledger', 'tokens', 'promo', 'redemption', 'answer', 'payment', 'exposure', 'transfer'],
  ...['draft_run', 'board', 'published_run', 'rating', 'verdict_history', 'demand_rating', 'wallet_row'],
  ...['score_day', 'rating_basis', 'followed_board'],
];
const FILLED = TABLES.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`).join(
  ' UNION ALL ',
);
const MOVE = 'UPDATE meta SET value = $2 WHERE name = $1 AND value = $3';

export interface CopyTargetOptions {
  readonly url: string;
  /** The key that the copied rows are written with. */
  readonly keyId: string;
}

/**
 * Returns the database as the other side of a copy. Its tables have to be of the version of this
 * program.
 */
export async function openCopyTarget({ url, keyId }: CopyTargetOptions): Promise<CopyTarget> {
  const client = await namingDatabase(url, () => connectOnce(url));
  /** The mark as it was written last: another copy that is under way has written another. */
  let mark = '';

  return {
    begin: (fresh) =>
      namingDatabase(url, () =>
        inTransaction(client, async () => {
          const existing = await begin(client, fresh, keyId);
          mark = JSON.stringify(existing);
          return existing;
        }),
      ),
    put: (kind, rows, progress) =>
      namingDatabase(url, async () => {
        const next = JSON.stringify(progress);
        const statements = rows.length === 0 ? [] : INSERTS[kind](rows);
        await inTransaction(client, async () => {
          // First, so that of two copies one waits here, and then finds that the other one has gone
          // on.
          const { rowCount } = await client.query(MOVE, [COPYING, next, mark]);
          if (rowCount !== 1)
            throw new Error('another copy into it is under way: let it end, then look at what it says');
          for (const { text, values = [] } of statements) await client.query(text, [...values]);
        });
        mark = next;
      }),
    finish: () =>
      namingDatabase(url, async () => {
        await client.query('DELETE FROM meta WHERE name = $1', [COPYING]);
      }),
    close: () => client.end(),
  };
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function begin(client: Client, fresh: CopyProgress, keyId: string): Promise<CopyProgress> {
  await client.query('LOCK TABLE meta IN SHARE ROW EXCLUSIVE MODE');
  await refuseAtWork(client);
  const existing = await metaOf(client, COPYING);
  if (existing !== null) {
    const progress = JSON.parse(existing) as CopyProgress;
    if (progress.source === fresh.source) return progress;
    throw new Error(
      `a copy of ${progress.source} into it was not finished: go on with that one, or give an empty database`,
    );
  }
  const filled = (await client.query(FILLED)).rows.map(({ name }) => name);
  if (filled.length > 0) throw new Error(`it is not empty (${filled.join(', ')}): give an empty database`);
  const boundTo = await metaOf(client, KEY_ID);
  if (boundTo !== null && boundTo !== keyId) {
    throw new Error(
      `it is bound to another store.key (${boundTo}) than the store to copy (${keyId}): give an empty database`,
    );
  }
  const put = 'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  await client.query(put, [KEY_ID, keyId]);
  await client.query(put, [COPYING, JSON.stringify(fresh)]);
  return fresh;
}

async function metaOf(client: Client, name: string): Promise<string | null> {
  return (await client.query('SELECT value FROM meta WHERE name = $1', [name])).rows[0]?.value ?? null;
}
