import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import { firstProof, mayTrust, type SettlementEvidence } from '#domain/payment/proof';
import type { PaymentSteps } from '#machines/payment-events';
import type { Decision, RowKeys } from '#ports/store';
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
    proof: null,
  };
  await store.transact({ payment: key }, (rows) => {
    if (rows.payment !== null) throw new Error('another process has claimed this authorization');
    return { writes: { payment: row }, result: undefined };
  });
  inWork.row = row;
}

/**
 * W2: the transaction and the exact body, before a byte of it goes out. A row that is settled
 * already stays as it is. On a facilitator's word it is written only as long as that is good for
 * it; a transfer that is the proof of another payment proves nothing here.
 */
export async function recordSettled(
  inWork: PaymentInWork,
  evidence: SettlementEvidence,
  { store, clock, packTokens, log }: RecordDeps,
): ReturnType<PaymentSteps['recordSettled']> {
  const { id, key, recorded: before } = inWork;
  const wallet = before.payment.authorization.from;
  const amountMicros = before.demand.amountMicros;
  const { transaction } = evidence;
  const nowMs = clock.nowMs();
  const keys = { payment: key, account: wallet, tokens: wallet, ...proofKeys(evidence, wallet) };
  const row = await store.transact(keys, (rows): Decision<PaymentRow | 'transfer.taken' | 'proof.required'> => {
    const row = rows.payment!;
    if (row.state === 'SETTLED') return { writes: {}, result: row };
    if (rows.transfer !== null && rows.transfer !== key) return { writes: {}, result: 'transfer.taken' };
    if (rows.exposure !== null && !mayTrust(rows.exposure, amountMicros)) {
      return { writes: {}, result: 'proof.required' };
    }
    const { body, writes } = completePayment(row, rows, { transaction, nowMs, packTokens });
    const proof = firstProof(evidence, amountMicros, nowMs);
    const facts = { body, transaction, open: false, failReason: null, updatedAtMs: nowMs, proof };
    const settled: PaymentRow = { ...row, ...facts, state: 'SETTLED' };
    return { writes: { ...writes, payment: settled }, result: settled };
  });
  if (row === 'proof.required') return { type: 'proof.required' };
  const facts = { payment: id, operation: before.operation, transaction };
  if (row === 'transfer.taken') {
    log.error(facts, 'the transfer that pays for this is the proof of another payment');
    return { type: 'transfer.taken', reason: 'authorization_consumed_elsewhere' };
  }
  inWork.row = row;
  if (before.state === 'FAILED') log.error(facts, 'a payment recorded as failed has paid after all');
  else log.info(facts, 'payment settled');
  return { type: 'settlement.recorded', answered: toAnswered(row, false) };
}

/** What has to be looked at, beside the row, before evidence is taken. */
function proofKeys(evidence: SettlementEvidence, wallet: WalletAddress): Pick<RowKeys, 'transfer' | 'exposure'> {
  return evidence.kind === 'chain'
    ? { transfer: evidence }
    : { exposure: { facilitator: evidence.facilitator, wallet } };
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
