import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Cursor, Swept } from '#ports/store';
import type { Commits } from '../commits.js';
import type { Columns, Query } from '../query.js';
import type { MoneyBatch } from './batch.js';
import { orStoreError } from './pages.js';
import { PAYMENT } from './tables.js';

/** An answer that is renewed at the same moment is left out, and looked at again the next time. */
const SWEEP_ANSWERS = `DELETE FROM answer WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM answer WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED))`;
/**
 * Marks are looked for within seconds. The table is read from its beginning, where the old ones
 * lie: an index on their age would cost each transaction more than that.
 */
const SWEEP_MARKS = `DELETE FROM batch_mark WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM batch_mark WHERE at < clock_timestamp() - interval '10 minutes' LIMIT $1))`;
const LOOK_AT_PAYMENTS = `SELECT key, CASE WHEN state = 'SETTLED' AND NOT open AND updated_at_ms < $3 THEN doc END AS doc
  FROM payment WHERE key > $1 ORDER BY key LIMIT $2`;
const MORE = 'more';
/**
 * Every transaction leaves a mark, so that many are removed at a time, in few goes: each reads the
 * table.
 */
const MARKS_AT_ONCE = 20_000;
const MARKS_GOES_MAX = 10;

/**
 * Removes up to `limit` expired answers, and the marks of transactions that nobody asks for any
 * more.
 */
export async function sweepAnswers(query: Query, nowMs: number, limit: number): Promise<Swept> {
  const [{ rowCount }] = await Promise.all([
    orStoreError(query('sweep answers', SWEEP_ANSWERS, [nowMs, limit])),
    sweepMarks(query),
  ]);
  const removed = rowCount ?? 0;
  return { removed, next: removed < limit ? null : MORE };
}

async function sweepMarks(query: Query): Promise<void> {
  for (let goes = 0; goes < MARKS_GOES_MAX; goes++) {
    const { rowCount } = await orStoreError(query('sweep marks', SWEEP_MARKS, [MARKS_AT_ONCE]));
    if ((rowCount ?? 0) < MARKS_AT_ONCE) return;
  }
}

/** Removes answer and body of the payments of a page that were settled before this moment. */
export async function trimPayments(
  query: Query,
  commits: Commits<MoneyBatch>,
  { settledBeforeMs, from, limit }: { readonly settledBeforeMs: number; readonly from: Cursor; readonly limit: number },
): Promise<Swept> {
  const { rows } = await orStoreError(query('trim payments', LOOK_AT_PAYMENTS, [from ?? '', limit, settledBeforeMs]));
  const keys = rows.filter(hasBody).map((raw) => raw.key as PaymentKey);
  const trimmed = await Promise.all(keys.map((payment) => trim(commits, payment)));
  const next = rows.length < limit ? null : (rows.at(-1)?.key as string);
  return { removed: trimmed.filter((isTrimmed) => isTrimmed).length, next };
}

/**
 * Whether there is something to remove; rows that nothing is left to be taken from are not locked
 * round after round.
 */
function hasBody({ key, doc }: Columns): boolean {
  if (doc === null) return false;
  try {
    return PAYMENT.decode({ doc }, key as PaymentKey).body !== null;
  } catch {
    return false;
  }
}

/**
 * Inside the transaction the row may say more than it did: when its transfer was proven, for one.
 */
async function trim(commits: Commits<MoneyBatch>, payment: PaymentKey): Promise<boolean> {
  return commits.run({
    want: (batch) => batch.want({ payment }),
    run(batch) {
      const row = readExisting(batch, payment);
      if (row === null || row.body === null) return false;
      batch.write({ payment: { ...row, answer: '', body: null } });
      return true;
    },
  });
}

/**
 * Whoever asks for a row that cannot be understood hears of it; the others are not held up by it.
 */
function readExisting(batch: MoneyBatch, payment: PaymentKey): PaymentRow | null {
  try {
    return batch.read({ payment }).payment;
  } catch {
    return null;
  }
}
