import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import {
  CHAIN_ITSELF,
  isAt,
  isToBeChecked,
  type SettlementProof,
  type TransferPosition,
  waitsForProof,
} from '#domain/payment/proof';
import type { Decision, Writes } from '#ports/store';
import type { PaymentDeps } from './contract.js';
import { paymentIdOf } from './in-work.js';
import { depthOf, lookForPayment } from './proving.js';
import { findLot, takeBack } from './take-back.js';
import { lookAgainAt } from './taken-transfer.js';

/** Blocks on top after which no reorganization is expected to take a transfer back. */
export const FINAL_DEPTH_BLOCKS = 12;

type CheckDeps = Pick<PaymentDeps, 'store' | 'chain' | 'clock' | 'log' | 'meter'>;

/**
 * Asks the chain about a settled payment and keeps what it says. Returns whether that is its last
 * word: what is unknown, or may still come, is neither proven nor refuted, however long it takes.
 * May be done twice, also by two processes. Rejects if the store cannot be written.
 */
export async function checkProof(row: PaymentRow, deps: CheckDeps, isFirst: boolean): Promise<boolean> {
  const { proof } = row;
  if (!isToBeChecked(row) || proof === null || row.transaction === null) return true;
  const reported = proof.kind === 'proven' ? proof.transaction : row.transaction;
  const { resolution, isOther } = await lookForPayment(row, reported, deps.chain);
  switch (resolution.kind) {
    case 'paid':
      return keepProven(row, resolution, deps);
    case 'expired':
    case 'cancelled':
    case 'consumed_elsewhere':
      await keepRefuted(row, `authorization_${resolution.kind}`, deps);
      return true;
    case 'unused':
    case 'unknown':
      if (isOther && isFirst) {
        const facts = { ...idsOf(row), ...wordOf(proof), transaction: reported };
        deps.log.warn(facts, 'the transaction of a settlement is about something else; its authorization is watched');
      }
      return false;
  }
}

async function keepProven(row: PaymentRow, position: TransferPosition, deps: CheckDeps): Promise<boolean> {
  const { transaction, blockNumber, logIndex } = position;
  const depth = waitsForProof(row.demand.amountMicros) ? await depthOf(blockNumber, deps.chain) : FINAL_DEPTH_BLOCKS;
  const isFinal = depth !== null && depth >= FINAL_DEPTH_BLOCKS;
  if (!isFinal && isAt(row.proof, position) && row.proof.blockNumber === blockNumber) return false;
  const proof: SettlementProof = { kind: 'proven', transaction, blockNumber, logIndex, isFinal };
  const left = isAt(row.proof, position) ? {} : leftBy(row);
  const keys = { payment: row.key, transfer: position };
  const noted = await deps.store.transact(keys, (rows): Decision<PaymentKey | null> => {
    if (rows.transfer !== null && rows.transfer !== row.key) return { writes: {}, result: rows.transfer };
    const writes = isStill(rows.payment, row) ? { payment: { ...rows.payment, proof }, ...left } : {};
    return { writes, result: null };
  });
  if (noted !== null) {
    await lookAgainAt(noted, position, deps.store);
    const facts = { ...idsOf(row), transaction, noted: paymentIdOf(noted) };
    deps.log.warn(facts, 'a transfer was seen where another payment is noted: both are looked at again');
    return false;
  }
  if (transaction !== row.transaction) {
    const facts = { ...idsOf(row), reported: row.transaction, transaction };
    deps.log.warn(facts, 'a payment was settled by another transaction than was reported');
  }
  return isFinal;
}

/** The place where the transfer was, where it is not any more. */
function leftBy({ key, proof }: PaymentRow): Pick<Writes, 'leftTransfer'> {
  if (proof?.kind !== 'proven') return {};
  const { transaction, logIndex } = proof;
  return { leftTransfer: { transaction, logIndex, payment: key } };
}

/**
 * Nothing is owed to us that could be had: what is unspent of the credits is taken back, and the
 * alarm is raised.
 */
async function keepRefuted(row: PaymentRow, reason: string, { store, clock, log, meter }: CheckDeps): Promise<void> {
  const { facilitator } = wordOf(row.proof);
  const atMs = clock.nowMs();
  const proof: SettlementProof = { kind: 'refuted', facilitator, reason, atMs };
  const wallet = row.payment.authorization.from;
  const lotId = await findLot(row, store);
  const takenBack = await store.transact({ payment: row.key, account: wallet }, (rows): Decision<number | null> => {
    if (!isStill(rows.payment, row)) return { writes: {}, result: null };
    const writes: Writes = { payment: { ...rows.payment, proof }, ...leftBy(row) };
    if (lotId === null || rows.account === null) return { writes, result: 0 };
    const change = takeBack(rows.account, lotId, { requestId: row.requestId, atMs });
    return { writes: { ...writes, change }, result: change.revoked };
  });
  if (takenBack === null) return;
  const { operation, transaction } = row;
  const amount = String(row.demand.amountMicros);
  const facts = { ...idsOf(row), facilitator, transaction, operation, amount_micros: amount, reason };
  log.error({ ...facts, credits_taken_back: takenBack }, 'a reported settlement is refuted: this was never paid');
  meter?.contradicted('refuted');
}

const idsOf = ({ requestId, key }: PaymentRow) => ({ requestId, payment: paymentIdOf(key) });

/** Whether the row says what was checked: another process may have been faster. */
function isStill(now: PaymentRow | null, { proof }: PaymentRow): now is PaymentRow {
  return now !== null && isToBeChecked(now) && JSON.stringify(now.proof) === JSON.stringify(proof);
}

function wordOf(proof: SettlementProof | null): { readonly facilitator: string } {
  return { facilitator: proof?.kind === 'unproven' ? proof.facilitator : CHAIN_ITSELF };
}
