import type { Rows } from '#adapters/lmdb/raw';
import type { LedgerRow } from '#adapters/rows/credit-rows';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import { LEDGER_KINDS } from '#domain/credits/credits';

/** Returns the stored form of a ledger entry. */
export function encodeLedger({ entry, previous }: LedgerRow): unknown {
  const lots: number[] = [];
  for (const share of entry.lots) lots.push(share.lotId, share.credits);
  const { wallet, number, kind, credits, balanceAfter, atMs, operation, requestId } = entry;
  const kindIndex = LEDGER_KINDS.indexOf(kind);
  return [ROW_VERSION, wallet, number, kindIndex, credits, balanceAfter, atMs, operation, requestId, lots, previous];
}

/** Returns the bytes of a row's stored form: a copy, since the encoder's belong to a larger piece of memory. */
export function encodeRaw(db: Rows, raw: unknown): Buffer {
  const { encoder } = db as unknown as { readonly encoder: { encode(value: unknown): Uint8Array } };
  return Buffer.from(encoder.encode(raw));
}
