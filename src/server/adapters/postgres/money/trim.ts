import type { PaymentKey } from '#domain/payment/payment';
import { answeredAtMs, type PaymentRow } from '#domain/payment/payment-row';
import type { Swept } from '#ports/store';
import type { Commits } from '../commits.js';
import type { Query } from '../query.js';
import type { MoneyBatch } from './batch.js';
import { orStoreError } from './pages.js';

/** An answer that is renewed at the same moment is left out, and looked at again the next time. */
const SWEEP_ANSWERS = `DELETE FROM answer WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM answer WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED))`;
/**
 * Marks are looked for within seconds. The table is read from its beginning, where the old ones
 * lie: an index on their age would cost each transaction more than that.
 */
const SWEEP_MARKS = `DELETE FROM batch_mark WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM batch_mark WHERE at < clock_timestamp() - interval '10 minutes' LIMIT $1))`;
const OLD_ANSWERS = `SELECT key FROM payment WHERE answered_at_ms < $1 ORDER BY answered_at_ms LIMIT $2`;
/** Nothing can be taken from a row that cannot be understood: it has had its turn. */
const PASS_OVER = 'UPDATE payment SET answered_at_ms = NULL WHERE key = ANY($1::text[]) AND answered_at_ms < $2';
/**
 * Every transaction leaves a mark, so that many are removed at a time, in few goes: each reads the
 * table.
 */
const MARKS_AT_ONCE = 20_000;
const MARKS_GOES_MAX = 10;

/**
 * Removes up to `limit` expired answers; with the last of them the marks of transactions that nobody
 * asks for any more.
 */
export async function sweepAnswers(query: Query, nowMs: number, limit: number): Promise<Swept> {
  const { rowCount } = await orStoreError(query('sweep answers', SWEEP_ANSWERS, [nowMs, limit]));
  const removed = rowCount ?? 0;
  const isMore = removed === limit;
  if (!isMore) await sweepMarks(query);
  return { removed, isMore };
}

async function sweepMarks(query: Query): Promise<void> {
  for (let goes = 0; goes < MARKS_GOES_MAX; goes++) {
    const { rowCount } = await orStoreError(query('sweep marks', SWEEP_MARKS, [MARKS_AT_ONCE]));
    if ((rowCount ?? 0) < MARKS_AT_ONCE) return;
  }
}

/** Removes answer and body of up to `limit` payments that were settled before this moment. */
export async function trimPayments(
  query: Query,
  commits: Commits<MoneyBatch>,
  { settledBeforeMs, limit }: { readonly settledBeforeMs: number; readonly limit: number },
): Promise<Swept> {
  const { rows } = await orStoreError(query('trim payments', OLD_ANSWERS, [settledBeforeMs, limit]));
  const keys = rows.map(({ key }) => key as PaymentKey);
  const trimmed = await Promise.all(keys.map((payment) => trim(commits, payment, settledBeforeMs)));
  const broken = keys.filter((_, n) => trimmed[n] === 'broken');
  if (broken.length > 0) await orStoreError(query('pass over payments', PASS_OVER, [broken, settledBeforeMs]));
  return { removed: trimmed.filter((outcome) => outcome === 'trimmed').length, isMore: rows.length === limit };
}

/**
 * Inside the transaction the row may say more than it did: when its transfer was proven, for one.
 */
async function trim(
  commits: Commits<MoneyBatch>,
  payment: PaymentKey,
  settledBeforeMs: number,
): Promise<'trimmed' | 'kept' | 'broken'> {
  return commits.run({
    want: (batch) => batch.want({ payment }),
    run(batch) {
      const row = readExisting(batch, payment);
      if (row === 'broken') return row;
      const atMs = row === null ? null : answeredAtMs(row);
      if (row === null || atMs === null || atMs >= settledBeforeMs) return 'kept';
      batch.write({ payment: { ...row, answer: '', body: null } });
      return 'trimmed';
    },
  });
}

/**
 * Whoever asks for a row that cannot be understood hears of it; the others are not held up by it.
 */
function readExisting(batch: MoneyBatch, payment: PaymentKey): PaymentRow | 'broken' | null {
  try {
    return batch.read({ payment }).payment;
  } catch {
    return 'broken';
  }
}
