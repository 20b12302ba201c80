import type { PaymentKey } from '#domain/payment/payment';
import type { Swept } from '#ports/store';
import type { Commits } from '../commits.js';
import type { Rows } from '../raw.js';
import { ANSWERS_BY_EXPIRY } from './answers.js';
import type { MoneyBatch } from './batch.js';
import { type ByTime, keysBefore, namesIn } from './by-time.js';
import { walkOn } from './index-walk.js';
import { ANSWERS } from './keys.js';
import { PAYMENTS_BY_SETTLEMENT } from './payments.js';

/** Removes up to `limit` expired answers, the oldest first. */
export async function sweepAnswers(
  db: Rows,
  commits: Commits<MoneyBatch>,
  nowMs: number,
  limit: number,
): Promise<Swept> {
  const work = { index: ANSWERS_BY_EXPIRY, beforeMs: nowMs + 1, limit };
  const swept = await sweep(db, commits, work, (_, name) => void db.remove(ANSWERS + name));
  if (!swept.isMore) await walkOn(db, commits, { index: ANSWERS_BY_EXPIRY, nowMs });
  return swept;
}

/** Removes answer and body of up to `limit` payments that were settled before this moment. */
export async function trimPayments(
  db: Rows,
  commits: Commits<MoneyBatch>,
  settledBeforeMs: number,
  limit: number,
): Promise<Swept> {
  const work = { index: PAYMENTS_BY_SETTLEMENT, beforeMs: settledBeforeMs, limit };
  const swept = await sweep(db, commits, work, (batch, name) => {
    const row = batch.read({ payment: name as PaymentKey }).payment!;
    batch.write({ payment: { ...row, answer: '', body: null } });
  });
  if (!swept.isMore) await walkOn(db, commits, { index: PAYMENTS_BY_SETTLEMENT, nowMs: settledBeforeMs });
  return swept;
}

interface Work {
  readonly index: ByTime;
  readonly beforeMs: number;
  readonly limit: number;
}

/** Begins no transaction where nothing is due. */
async function sweep(
  db: Rows,
  commits: Commits<MoneyBatch>,
  { index, beforeMs, limit }: Work,
  remove: (batch: MoneyBatch, name: string) => void,
): Promise<Swept> {
  const keys = keysBefore(db, index, beforeMs, limit);
  if (keys.length === 0) return { removed: 0, isMore: false };
  const removed = await commits.run({
    decide(batch) {
      // Inside the transaction again: an answer may have been renewed since. Whatever becomes of a
      // row, its key has had its turn.
      const due = namesIn(keys, index).filter((name) => (index.momentOf(db, name) ?? beforeMs) < beforeMs);
      const write = () => {
        for (const key of keys) db.remove(key);
        for (const name of due) remove(batch, name);
      };
      return { result: due.length, write };
    },
  });
  return { removed, isMore: keys.length === limit };
}
