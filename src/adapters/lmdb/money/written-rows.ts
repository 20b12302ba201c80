import { LEDGER_KINDS, LOT_KINDS, type Lot } from '#domain/credits/credits';
import type { AccountRow, LedgerRow } from '../../rows/credit-rows.js';
import { ROW_VERSION } from '../../rows/row-fields.js';
import type { RowWriter } from '../row-writer.js';

// The two rows that every debit writes, each in the bytes of its stored form (rows/credit-rows.ts).

/** Writes `encodeAccount(row)`. */
export function writeAccount(writer: RowWriter, { account, tail }: AccountRow): void {
  const { lastEntry, lots, unanswered } = account;
  writer.list(unanswered.length === 0 ? 4 : 5);
  writer.count(ROW_VERSION);
  writer.count(lastEntry);
  writer.count(tail);
  writeLots(writer, lots);
  if (unanswered.length === 0) return;
  writer.list(unanswered.length);
  for (const debit of unanswered) {
    writer.list(5);
    writer.text(debit.id);
    writer.text(debit.operation);
    writer.text(debit.requestId);
    writer.count(debit.atMs);
    writeLots(writer, debit.lots);
  }
}

/** Writes what `decodeLedger` reads. */
export function writeLedger(writer: RowWriter, { entry, previous }: LedgerRow): void {
  writer.list(11);
  writer.count(ROW_VERSION);
  writer.text(entry.wallet);
  writer.count(entry.number);
  writer.count(LEDGER_KINDS.indexOf(entry.kind));
  writer.count(entry.credits);
  writer.count(entry.balanceAfter);
  writer.count(entry.atMs);
  writer.text(entry.operation);
  writer.textOrNull(entry.requestId);
  writer.list(2 * entry.lots.length);
  for (const share of entry.lots) {
    writer.count(share.lotId);
    writer.count(share.credits);
  }
  writer.count(previous);
}

function writeLots(writer: RowWriter, lots: readonly Lot[]): void {
  writer.list(lots.length);
  for (const lot of lots) {
    writer.list(7);
    writer.count(lot.id);
    writer.count(LOT_KINDS.indexOf(lot.kind));
    writer.count(lot.credits);
    writer.count(lot.remaining);
    writer.count(lot.grantedAtMs);
    writer.count(lot.expiresAtMs);
    writer.text(lot.source);
  }
}
