import type { Client } from 'pg';
import { connectOnce } from './pool.js';

/** Connections that run the statement, all at once and one after the other. */
const CONNECTIONS = 3;
const ROUNDS = 2;
const NAME = 'preflight check';
const TEXT = 'SELECT $1::int AS n';

/**
 * Runs named statements in several transactions over several connections, as the store does all
 * day: one of the same name over each, which finds a pooler that has a single connection, and one of
 * a name of its own, which finds a pooler that has many. Rejects with the error of the first that fails: a pooler that lends its connections for a
 * transaction each, and knows nothing of named statements, has some that lack it and some that have
 * it already.
 */
export async function tryNamedStatements(url: string): Promise<void> {
  const clients: Client[] = [];
  try {
    while (clients.length < CONNECTIONS) clients.push(await connectOnce(url));
    for (let round = 0; round < ROUNDS; round++) {
      await allOf(clients.map(transaction));
      for (const [n, client] of clients.entries()) await transaction(client, n);
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function transaction(client: Client, n: number): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const name of [NAME, `${NAME} ${n}`]) await client.query({ name, text: TEXT, values: [n] });
  } finally {
    await client.query('COMMIT');
  }
}

/** Rejects when all have ended. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
