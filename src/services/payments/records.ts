import type { PaymentRow } from '#domain/payment/payment-row';
import type { PaymentSteps } from '#machines/payment-events';
import { completePayment } from './completion.js';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';
import { operationOf } from './work.js';

/** The three times that the durable row is written. Each resolves when the row is on disk. */

type RecordDeps = Pick<PaymentDeps, 'store' | 'clock' | 'packTokens' | 'log'>;

/** W1: the frozen answer and the intent, before anything is sent to a facilitator. */
export async function writeIntent(
  inWork: PaymentInWork,
  facts: Pick<PaymentRow, 'answer' | 'intentBlock'>,
  { store, clock }: RecordDeps,
): Promise<void> {
  const { key, payment, fingerprint, asked } = inWork;
  const nowMs = clock.nowMs();
  const row: PaymentRow = {
    key,
    state: 'SETTLING',
    fingerprint,
    operation: operationOf(asked),
    requestId: asked.requestId,
    payment,
    demand: asked.demand,
    answer: facts.answer,
    ...(asked.secret === null ? {} : { buyerSecret: asked.secret }),
    intentBlock: facts.intentBlock,
    body: null,
    transaction: null,
    failReason: null,
    open: true,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  await store.transact({ payment: key }, (rows) => {
    if (rows.payment !== null) throw new Error('another process has claimed this authorization');
    return { writes: { payment: row }, result: undefined };
  });
  inWork.row = row;
}

/**
 * W2: the transaction and the exact body, before a byte of it goes out. A row that is settled
 * already stays as it is.
 */
export async function recordSettled(
  inWork: PaymentInWork,
  transaction: string,
  { store, clock, packTokens, log }: RecordDeps,
): ReturnType<PaymentSteps['recordSettled']> {
  const { id, key, recorded: before } = inWork;
  const wallet = before.payment.authorization.from;
  const nowMs = clock.nowMs();
  const row = await store.transact({ payment: key, account: wallet, tokens: wallet }, (rows) => {
    const row = rows.payment!;
    if (row.state === 'SETTLED') return { writes: {}, result: row };
    const { body, writes } = completePayment(row, rows, { transaction, nowMs, packTokens });
    const facts = { body, transaction, open: false, failReason: null, updatedAtMs: nowMs };
    const settled: PaymentRow = { ...row, ...facts, state: 'SETTLED' };
    return { writes: { ...writes, payment: settled }, result: settled };
  });
  inWork.row = row;
  const facts = { payment: id, operation: row.operation, transaction };
  if (before.state === 'FAILED') log.error(facts, 'a payment recorded as failed has paid after all');
  else log.info(facts, 'payment settled');
  return { type: 'settlement.recorded', answered: toAnswered(row, false) };
}

/**
 * The proof that this authorization did not pay; `open` while a late transfer is still possible. A
 * row that is settled stays as it is: that is the stronger proof.
 */
export async function recordFailed(
  inWork: PaymentInWork,
  { reason, open }: Pick<Parameters<PaymentSteps['recordFailed']>[0], 'reason' | 'open'>,
  { store, clock, log }: RecordDeps,
): ReturnType<PaymentSteps['recordFailed']> {
  const nowMs = clock.nowMs();
  const row = await store.transact({ payment: inWork.key }, (rows) => {
    const row = rows.payment!;
    if (row.state === 'SETTLED') return { writes: {}, result: row };
    const facts = { failReason: row.failReason ?? reason, open, updatedAtMs: nowMs };
    const failed: PaymentRow = { ...row, ...facts, state: 'FAILED' };
    return { writes: { payment: failed }, result: failed };
  });
  inWork.row = row;
  if (row.state === 'SETTLED') return { type: 'settlement.recorded', answered: toAnswered(row, false) };
  log.info({ payment: inWork.id, reason, open }, 'payment failed');
  return { type: 'failure.recorded', reason: toRefused(row).reason };
}
