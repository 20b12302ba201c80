import { type Change, revokeCredits } from '#domain/credits/credit-changes';
import type { Account } from '#domain/credits/credits';
import type { PaymentRow } from '#domain/payment/payment-row';
import {
  CHAIN_ITSELF,
  isToBeChecked,
  type SettlementProof,
  type TransferPosition,
  waitsForProof,
} from '#domain/payment/proof';
import type { Decision } from '#ports/store';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import type { PaymentDeps } from './contract.js';
import { paymentIdOf } from './in-work.js';
import { depthOf, lookForPayment } from './proving.js';
import { CREDITS_OPERATION } from './work.js';

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
  if (!isFinal && isSamePosition(row.proof, position)) return false;
  const proof: SettlementProof = { kind: 'proven', transaction, blockNumber, logIndex, isFinal };
  const isTaken = await deps.store.transact({ payment: row.key, transfer: position }, (rows): Decision<boolean> => {
    if (rows.transfer !== null && rows.transfer !== row.key) return { writes: {}, result: true };
    const writes = isStill(rows.payment, row) ? { payment: { ...rows.payment, proof } } : {};
    return { writes, result: false };
  });
  if (isTaken) await keepRefuted(row, 'the transfer is the proof of another payment', deps);
  else if (transaction !== row.transaction) {
    const facts = { ...idsOf(row), reported: row.transaction, transaction };
    deps.log.warn(facts, 'a payment was settled by another transaction than was reported');
  }
  return isTaken || isFinal;
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
  const takenBack = await store.transact({ payment: row.key, account: wallet }, (rows): Decision<number | null> => {
    if (!isStill(rows.payment, row)) return { writes: {}, result: null };
    const change = takeBack(row, rows.account, atMs);
    const payment = { ...rows.payment, proof };
    return { writes: change === null ? { payment } : { payment, change }, result: change?.revoked ?? 0 };
  });
  if (takenBack === null) return;
  const { operation, transaction } = row;
  const amount = String(row.demand.amountMicros);
  const facts = { ...idsOf(row), facilitator, transaction, operation, amount_micros: amount, reason };
  log.error({ ...facts, credits_taken_back: takenBack }, 'a reported settlement is refuted: this was never paid');
  meter?.contradicted('refuted');
}

const idsOf = ({ requestId, key }: PaymentRow) => ({ requestId, payment: paymentIdOf(key) });

/** What is left of the credits that the refuted payment gave; null if it gave none. */
function takeBack(
  { operation, requestId, transaction }: PaymentRow,
  account: Account | null,
  atMs: number,
): (Change & { readonly revoked: number }) | null {
  if (operation !== CREDITS_OPERATION || account === null) return null;
  const cause = { operation: 'purchase refuted', requestId, atMs, lapsedByMs: NOTHING_LAPSES_MS };
  // Not so many as the pack has: what was spent of it would come back with a debit that is given back.
  return revokeCredits(account, 'all', cause, (lot) => lot.kind === 'purchase' && lot.source === transaction);
}

/** Whether the row says what was checked: another process may have been faster. */
function isStill(now: PaymentRow | null, { proof }: PaymentRow): now is PaymentRow {
  return now !== null && isToBeChecked(now) && JSON.stringify(now.proof) === JSON.stringify(proof);
}

function isSamePosition(proof: SettlementProof | null, position: TransferPosition): boolean {
  return (
    proof?.kind === 'proven' &&
    proof.transaction === position.transaction &&
    proof.blockNumber === position.blockNumber &&
    proof.logIndex === position.logIndex
  );
}

function wordOf(proof: SettlementProof | null): { readonly facilitator: string } {
  return { facilitator: proof?.kind === 'unproven' ? proof.facilitator : CHAIN_ITSELF };
}
