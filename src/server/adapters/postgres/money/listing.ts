import type { Pool } from 'pg';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Cursor, PaymentIndexes, ProvenTransfer, RowsPage, StoreListing } from '#ports/store';
import { understood } from '../doc.js';
import { lending } from '../pool.js';
import { type Columns, type Query, queryOver } from '../query.js';
import { toExposure } from './exposures.js';
import { readEntriesPage, toEntry } from './ledger.js';
import { cursorAfter, nextAfter, orStoreError } from './pages.js';
import { toOpenPayment } from './payments.js';
import { ACCOUNT, ANSWER, PAYMENT, PROMO, REDEMPTION, type Table, TOKENS } from './tables.js';

/** Returns the listing of everything that lies in the database. */
export function postgresListing(pool: Pool, whenOpen: <T>(from: () => Promise<T>) => Promise<T>): StoreListing {
  const query = queryOver(pool);
  const rowsOf =
    <Id, Row>(table: Table<Id, Row>) =>
    (from: Cursor, limit: number): Promise<RowsPage<Row>> =>
      whenOpen(() => readTable(query, table, from, limit));
  return {
    accounts: rowsOf(ACCOUNT),
    tokenSets: rowsOf(TOKENS),
    promos: rowsOf(PROMO),
    redemptions: rowsOf(REDEMPTION),
    answers: rowsOf(ANSWER),
    entriesOf: (wallet, from, limit) =>
      whenOpen(async () => {
        const sql = `SELECT * FROM ledger WHERE wallet = $1 AND ($2::bigint IS NULL OR number < $2::bigint)
          ORDER BY number DESC LIMIT $3`;
        const { rows } = await orStoreError(query('entries of', sql, [wallet, from, limit]));
        return { ...understood(rows, toEntry), next: cursorAfter(rows, limit, 'number') };
      }),
    entries: (from, limit) => whenOpen(() => readEntriesPage(query, from, limit)),
    payments: (from, limit) => whenOpen(() => orStoreError(readIndexes(pool, from, limit))),
    transfers: (from, limit) =>
      whenOpen(async () => {
        const [transaction, logIndex] = from === null ? ['', 0] : (JSON.parse(from) as [string, number]);
        const sql = `SELECT * FROM transfer WHERE (transaction, log_index) > ($1, $2::bigint)
          ORDER BY transaction, log_index LIMIT $3`;
        const { rows } = await orStoreError(query('transfers', sql, [transaction, logIndex, limit]));
        return { ...understood(rows, toTransfer), next: nextAfter(rows, limit, ['transaction', 'log_index']) };
      }),
    written: null,
    walletExposures: (from, limit) =>
      whenOpen(async () => {
        const sql = `SELECT * FROM exposure WHERE who LIKE 'wallet/%' AND who > $1
          AND (unproven_micros <> 0 OR refuted_micros <> 0 OR last_refuted_at_ms IS NOT NULL) ORDER BY who LIMIT $2`;
        const { rows } = await orStoreError(query('wallet exposures', sql, [from ?? '', limit]));
        const toItem = (raw: Columns) => ({
          wallet: (raw.who as string).slice('wallet/'.length) as WalletAddress,
          exposure: toExposure(raw),
        });
        return { ...understood(rows, toItem), next: cursorAfter(rows, limit, 'who') };
      }),
  };
}

async function readTable<Id, Row>(
  query: Query,
  table: Table<Id, Row>,
  from: Cursor,
  limit: number,
): Promise<RowsPage<Row>> {
  const { name, keys } = table;
  const after = keys.map((_, n) => `$${n + 2}`).join(', ');
  const sql = `SELECT * FROM ${name} WHERE (${keys.join(', ')}) > (${after}) ORDER BY ${keys.join(', ')} LIMIT $1`;
  const key = from === null ? keys.map(() => '') : (JSON.parse(from) as string[]);
  const { rows } = await orStoreError(query(`list ${name}`, sql, [limit, ...key]));
  const toRow = (raw: Columns) => table.decode(raw, table.idOf(keys.map((column) => raw[column] as string)));
  return { ...understood(rows, toRow), next: nextAfter(rows, limit, keys) };
}

const INDEXES = 'SELECT * FROM payment WHERE key > $1 ORDER BY key LIMIT $2';
const TRANSFERS = 'SELECT * FROM transfer WHERE transaction = ANY($1::text[])';

/** The rows and what follows from them are read at one moment. */
async function readIndexes(pool: Pool, from: Cursor, limit: number): Promise<RowsPage<PaymentIndexes>> {
  return lending(await pool.connect(), async (client, drop) => {
    try {
      const query = queryOver(client);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await query('list payment', INDEXES, [from ?? '', limit]);
      const page = understood(rows, (raw) => ({ raw, row: PAYMENT.decode(raw, raw.key as PaymentKey) }));
      const proven = page.items.flatMap(({ row }) => (row.proof?.kind === 'proven' ? [row.proof.transaction] : []));
      const transfers = (await query('transfers of', TRANSFERS, [proven])).rows.map(toTransfer);
      await client.query('COMMIT');
      const items = page.items.map(({ raw, row }) => indexesOf(raw, row, transfers));
      return { items, faults: page.faults, next: cursorAfter(rows, limit) };
    } catch (error) {
      // Its transaction may be open still.
      drop();
      throw error;
    }
  });
}

function indexesOf(raw: Columns, row: PaymentRow, transfers: readonly ProvenTransfer[]): PaymentIndexes {
  const { proof } = row;
  const transfer =
    proof?.kind === 'proven'
      ? transfers.find((one) => one.transaction === proof.transaction && one.logIndex === proof.logIndex)
      : undefined;
  return {
    row,
    openPayment: raw.open === true ? toOpenPayment(raw) : null,
    isUnchecked: raw.unchecked === true,
    transferOf: transfer?.payment ?? null,
  };
}

function toTransfer(raw: Columns): ProvenTransfer {
  return {
    transaction: raw.transaction as string,
    logIndex: raw.log_index as number,
    payment: raw.payment as PaymentKey,
  };
}
