import { createHash } from 'node:crypto';
import type { CopiedKind } from '#ports/copy-target';
import type { Cursor, RowsPage } from '#ports/store';
import { pagesOf } from '../integrity/pages.js';
import { COPIED_KINDS, readersOf, type WholeStore } from './kinds.js';

/**
 * How many rows of a kind there are, and what all of them together hash to, whatever their order.
 */
export interface RowsDigest {
  readonly kind: CopiedKind;
  readonly rows: number;
  /** 64 hexadecimal digits: the sum of the SHA-256 of each row. */
  readonly hash: string;
}

/** Reads everything that a copy is made of, and digests it kind by kind. */
export async function digestsOf(
  whole: WholeStore,
  startedAtMs: number,
  onProgress: (kind: CopiedKind, rows: number) => void,
): Promise<readonly RowsDigest[]> {
  const readers = readersOf(whole, startedAtMs);
  const digests: RowsDigest[] = [];
  for (const kind of COPIED_KINDS) {
    let [rows, sum] = [0, 0n];
    const read: (from: Cursor, limit: number) => Promise<RowsPage<unknown>> = readers[kind];
    for await (const { items } of pagesOf(read)) {
      for (const row of items) sum += hashOf(row);
      rows += items.length;
      onProgress(kind, rows);
    }
    digests.push({ kind, rows, hash: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') });
  }
  return digests;
}

function hashOf(row: unknown): bigint {
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(row, canonical)).digest('hex')}`);
}

/** Two engines may name the fields of one row in another order. */
function canonical(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
