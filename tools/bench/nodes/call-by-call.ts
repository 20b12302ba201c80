import pg from 'pg';
import { walletOf } from '#local/venue/market/deterministic-ids';
import type { Operation } from '../support/concurrency.js';

const TABLES = `
  CREATE TABLE plain_account (wallet text PRIMARY KEY, balance bigint NOT NULL, doc text NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE plain_ledger (wallet text, number bigint, balance_after bigint NOT NULL, at_ms bigint NOT NULL,
    operation text NOT NULL, request_id text, PRIMARY KEY (wallet, number))`;
const LOCK = 'SELECT balance, doc FROM plain_account WHERE wallet = $1 FOR UPDATE';
const BOOK = 'INSERT INTO plain_ledger VALUES ($1, $2, $3, $4, $5, $6)';
const CHANGE = 'UPDATE plain_account SET balance = $2, doc = $3 WHERE wallet = $1';
const FULL = 1_000_000_000;
/** As long as the lots of an account. */
const DOC = 'x'.repeat(90);

/**
 * Debits as one writes them first: a transaction for each call, of five statements one after the
 * other.
 */
export interface CallByCall {
  readonly debitMany: Operation;
  readonly debitOne: Operation;
  close(): Promise<void>;
}

/** Opens it with so many wallets on a database, over as many connections as a replica has. */
export async function openCallByCall(url: string, wallets: number, connections: number): Promise<CallByCall> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(TABLES);
  const names = Array.from({ length: wallets }, (_, n) => walletOf(`plain ${n}`));
  await pool.query('INSERT INTO plain_account SELECT w, $2, $3 FROM unnest($1::text[]) AS w', [names, FULL, DOC]);
  const debit = async (wallet: string) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query({ name: 'lock', text: LOCK, values: [wallet] });
      const balance = Number(rows[0].balance) - 1;
      const entry = [wallet, FULL - balance, balance, Date.now(), 'preflight_trade', 'r'.repeat(24)];
      await client.query({ name: 'book', text: BOOK, values: entry });
      await client.query({ name: 'change', text: CHANGE, values: [wallet, balance, DOC] });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  return { debitMany: (caller) => debit(names[caller]!), debitOne: () => debit(names[0]!), close: () => pool.end() };
}
