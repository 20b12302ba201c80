import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Cursor, Swept } from '#ports/store';
import type { Commits } from '../commits.js';
import { page, type Rows } from '../raw.js';
import type { MoneyBatch } from './batch.js';
import { ANSWERS, PAYMENTS, partsOfAnswerKey, paymentOfIndexKey } from './keys.js';
import { readPayment } from './payments.js';
import { readAnswer } from './reads.js';

/** Removes the expired answers of a page. */
export async function sweepAnswers(
  db: Rows,
  commits: Commits<MoneyBatch>,
  { nowMs, from, limit }: { readonly nowMs: number; readonly from: Cursor; readonly limit: number },
): Promise<Swept> {
  const { keys, next } = page(db, ANSWERS, from, limit);
  const expired = expiredAnswers(db, keys, nowMs);
  if (expired.length === 0) return { removed: 0, next };
  const removed = await commits.run({
    decide() {
      // Inside the transaction again: an answer may have been renewed since.
      const still = expiredAnswers(db, expired, nowMs);
      const write = () => {
        for (const key of still) db.remove(key);
      };
      return { result: still.length, write };
    },
  });
  return { removed, next };
}

function expiredAnswers(db: Rows, keys: readonly string[], nowMs: number): readonly string[] {
  return keys.filter((rowKey) => {
    try {
      const answer = readAnswer(db, partsOfAnswerKey(rowKey));
      return answer !== null && answer.expiresAtMs <= nowMs;
    } catch {
      // A malformed answer stays where it is, and a caller that asks for it hears of it; the others
      // are swept all the same.
      return false;
    }
  });
}

/** Removes answer and body of the payments of a page that were settled before this moment. */
export async function trimPayments(
  db: Rows,
  commits: Commits<MoneyBatch>,
  { settledBeforeMs, from, limit }: { readonly settledBeforeMs: number; readonly from: Cursor; readonly limit: number },
): Promise<Swept> {
  const { keys, next } = page(db, PAYMENTS, from, limit);
  const isOld = (row: PaymentRow | null) => row !== null && mayGo(row, settledBeforeMs);
  const old = keys.map((key) => paymentOfIndexKey(key, PAYMENTS)).filter((key) => isOld(readExisting(db, key)));
  if (old.length === 0) return { removed: 0, next };
  const removed = await commits.run({
    decide(batch) {
      // Inside the transaction the row may say more than it did: when its transfer was proven, for
      // one.
      const rows = old.flatMap((payment) => batch.read({ payment }).payment ?? []);
      const write = () => {
        for (const row of rows) batch.write({ payment: { ...row, answer: '', body: null } });
      };
      return { result: rows.length, write };
    },
  });
  return { removed, next };
}

/** Settled for good, with something to remove. The row of what is not settled needs its answer. */
function mayGo({ state, open, body, updatedAtMs }: PaymentRow, settledBeforeMs: number): boolean {
  return state === 'SETTLED' && !open && body !== null && updatedAtMs < settledBeforeMs;
}

/**
 * Whoever asks for a row that cannot be understood hears of it; the others are not held up by it.
 */
function readExisting(db: Rows, key: PaymentKey): PaymentRow | null {
  try {
    return readPayment(db, key);
  } catch {
    return null;
  }
}
