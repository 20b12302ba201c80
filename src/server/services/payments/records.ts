import { CREDIT_PACK } from '#api/prices';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentOwner, PaymentRow } from '#domain/payment/payment-row';
import { firstProof, mayTrust, type SettlementEvidence, type TransferPosition } from '#domain/payment/proof';
import type { PaymentSteps } from '#machines/payment-events';
import type { Decision, RowKeys, Rows } from '#ports/store';
import { completePayment } from './completion.js';
import type { PaymentDeps } from './contract.js';
import { type PaymentInWork, paymentIdOf } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';
import { lookAgainAt } from './taken-transfer.js';
import { CREDITS_OPERATION } from './work.js';

/** The three times that the durable row is written. Each resolves when the row is on disk. */

type RecordDeps = Pick<PaymentDeps, 'store' | 'lease' | 'clock' | 'packTokens' | 'explorerUrl' | 'log' | 'meter'>;

/**
 * W1: the frozen answer and the intent, before anything is sent to a facilitator. The owner alone
 * writes it.
 */
export async function writeIntent(
  inWork: PaymentInWork,
  { epoch, answer, intentBlock }: Pick<PaymentRow, 'epoch' | 'answer' | 'intentBlock'>,
  { store, lease, clock, log }: RecordDeps,
): Promise<IntentWritten> {
  const { key, recorded: claimed } = inWork;
  const row: PaymentRow = { ...claimed, state: 'SETTLING', answer, intentBlock, updatedAtMs: clock.nowMs() };
  const isWritten = await store.transact({ openPayment: key }, ({ openPayment, isOwnerAlive }) =>
    isOwnerAlive && openPayment?.state === 'CLAIMED' && isOwner(openPayment, { owner: lease.id, epoch })
      ? { writes: { payment: row }, result: true }
      : { writes: {}, result: false },
  );
  if (!isWritten) return { type: 'payment.lost' };
  inWork.row = row;
  log.info({ ...inWork.ids, operation: row.operation, intentBlock }, 'intent recorded');
  return { type: 'intent.recorded' };
}

type IntentWritten = Extract<
  Awaited<ReturnType<PaymentSteps['recordIntent']>>,
  { type: `${string}.recorded` | 'payment.lost' }
>;

/** Whether a payment is still this owner's, in the same epoch. */
function isOwner(payment: PaymentOwner, { owner, epoch }: PaymentOwner): boolean {
  return payment.owner === owner && payment.epoch === epoch;
}

/**
 * Says in the row that no client waits here, so that a process with one may take the payment. Never
 * rejects: it is told again after the next pause.
 */
export async function leaveUnattended(
  inWork: PaymentInWork,
  epoch: number,
  { store, lease, log }: RecordDeps,
): Promise<void> {
  if (inWork.recorded.isUnattended === true || inWork.recorded.state !== 'SETTLING') return;
  try {
    const row = await store.transact<PaymentRow | null>(
      { payment: inWork.key },
      ({ payment: row }) => {
        const isOurs = row?.state === 'SETTLING' && isOwner(row, { owner: lease.id, epoch });
        if (!isOurs) return { writes: {}, result: null };
        const left: PaymentRow = { ...row, isUnattended: true };
        return { writes: { payment: left }, result: left };
      },
      { durable: false },
    );
    if (row !== null) inWork.row = row;
  } catch (err) {
    log.warn({ ...inWork.ids, err }, 'a payment without a client cannot be left to other processes');
  }
}

/**
 * W2: the transaction and the exact body, before a byte of it goes out. A row that is settled
 * already stays as it is. On a facilitator's word it is written only as long as that is good for
 * it; a transfer that is noted for another payment proves nothing here until that one was found
 * elsewhere.
 */
export async function recordSettled(
  inWork: PaymentInWork,
  evidence: SettlementEvidence,
  deps: RecordDeps,
): ReturnType<PaymentSteps['recordSettled']> {
  const { key, recorded: before } = inWork;
  const wallet = before.payment.authorization.from;
  const facts = { evidence, amountMicros: before.demand.amountMicros, nowMs: deps.clock.nowMs() };
  const given = before.operation === CREDITS_OPERATION ? { account: wallet, tokens: wallet } : {};
  const keys = { payment: key, ...given, ...proofKeys(evidence, wallet) };
  const settled = await deps.store.transact(keys, (rows) => decideSettled(rows, facts, deps));
  if (settled.kind === 'proof.required') return { type: 'proof.required' };
  if (settled.kind === 'transfer.taken') {
    await lookAgainAt(settled.noted, settled.position, deps.store);
    reportTaken(inWork, settled, deps);
    return { type: 'transfer.taken' };
  }
  inWork.row = settled.row;
  if (settled.isNew) reportSettled(inWork, before, deps);
  return { type: 'settlement.recorded', answered: toAnswered(settled.row, false) };
}

type Settled =
  | { readonly kind: 'settled'; readonly row: PaymentRow; readonly isNew: boolean }
  | Taken
  | { readonly kind: 'proof.required' };

interface Taken {
  readonly kind: 'transfer.taken';
  readonly noted: PaymentKey;
  readonly position: TransferPosition;
}

function decideSettled(
  rows: Rows,
  { evidence, amountMicros, nowMs }: { evidence: SettlementEvidence; amountMicros: bigint; nowMs: number },
  { packTokens, explorerUrl }: Pick<RecordDeps, 'packTokens' | 'explorerUrl'>,
): Decision<Settled> {
  const row = rows.payment!;
  if (row.state === 'SETTLED') return { writes: {}, result: { kind: 'settled', row, isNew: false } };
  const { transfer: noted } = rows;
  if (evidence.kind === 'chain' && noted !== null && noted !== row.key) {
    return { writes: {}, result: { kind: 'transfer.taken', noted, position: evidence } };
  }
  if (rows.exposure !== null && !mayTrust(rows.exposure, amountMicros)) {
    return { writes: {}, result: { kind: 'proof.required' } };
  }
  const { transaction } = evidence;
  const { body, writes } = completePayment(row, rows, { transaction, explorerUrl, nowMs, packTokens });
  const proof = firstProof(evidence, amountMicros, nowMs);
  const facts = { body, transaction, open: false, failReason: null, updatedAtMs: nowMs, proof };
  const { isUnattended: _, ...rest } = row;
  const settled: PaymentRow = { ...rest, ...facts, state: 'SETTLED' };
  return { writes: { ...writes, payment: settled }, result: { kind: 'settled', row: settled, isNew: true } };
}

/** Once for each run: it is looked at again and again. */
function reportTaken(
  inWork: PaymentInWork,
  { noted, position: { transaction, logIndex } }: Taken,
  { log, meter }: RecordDeps,
): void {
  if (inWork.isTransferTaken) return;
  inWork.isTransferTaken = true;
  const { operation } = inWork.recorded;
  const facts = { ...inWork.ids, operation, transaction, logIndex, noted: paymentIdOf(noted) };
  log.error(facts, 'the transfer that pays for this is noted for another payment: both are looked at again');
  meter?.contradicted('transfer_taken');
}

/** Once for each payment: by the process that wrote its row. */
function reportSettled({ ids, recorded: row }: PaymentInWork, before: PaymentRow, { log, meter }: RecordDeps): void {
  const { operation, transaction } = row;
  const creditsSold = operation === CREDITS_OPERATION ? CREDIT_PACK.credits : 0;
  meter?.paymentSettled({ operation, amountMicros: row.demand.amountMicros, creditsSold });
  if (before.state !== 'FAILED') return void log.info({ ...ids, operation, transaction }, 'payment settled');
  log.error({ ...ids, operation, transaction }, 'a payment recorded as failed has paid after all');
  meter?.contradicted('paid_after_failure');
}

/** What has to be looked at, beside the row, before evidence is taken. */
function proofKeys(evidence: SettlementEvidence, wallet: WalletAddress): Pick<RowKeys, 'transfer' | 'exposure'> {
  return evidence.kind === 'chain'
    ? { transfer: evidence }
    : { exposure: { facilitator: evidence.facilitator, wallet } };
}

/**
 * The proof that this authorization did not pay; `open` while a late transfer is still possible.
 * The owner alone writes it. A row that is settled stays as it is: that is the stronger proof.
 */
export async function recordFailed(
  inWork: PaymentInWork,
  { epoch, reason, open }: Parameters<PaymentSteps['recordFailed']>[0],
  { store, lease, clock, log }: RecordDeps,
): ReturnType<PaymentSteps['recordFailed']> {
  if (!lease.isHeld()) throw new Error('this process could not renew its lease');
  const nowMs = clock.nowMs();
  const row = await store.transact({ payment: inWork.key }, (rows) => {
    const row = rows.payment!;
    if (row.state === 'SETTLED') return { writes: {}, result: row };
    if (!rows.isOwnerAlive || !isOwner(row, { owner: lease.id, epoch })) return { writes: {}, result: null };
    const facts = { failReason: row.failReason ?? reason, open, updatedAtMs: nowMs };
    const failed: PaymentRow = { ...row, ...facts, state: 'FAILED' };
    return { writes: { payment: failed }, result: failed };
  });
  if (row === null) return { type: 'payment.lost' };
  inWork.row = row;
  if (row.state === 'SETTLED') return { type: 'settlement.recorded', answered: toAnswered(row, false) };
  log.info({ ...inWork.ids, reason, open }, 'payment failed');
  return { type: 'failure.recorded', reason: toRefused(row).reason };
}
