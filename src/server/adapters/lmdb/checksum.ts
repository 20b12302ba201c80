import { crc32 } from 'node:zlib';

/**
 * Begins a checksum. No value begins or ends with it, so that a value cannot grow over its checksum
 * by one damaged bit of a length.
 */
const MARK = 0xc1;
const MARK_BYTES = 1;
export const CHECKSUM_BYTES = MARK_BYTES + 4;

/** Returns the bytes of a value with their checksum behind them: CRC-32 over the key and the value. */
export function withChecksum(key: string, value: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  row.set(value);
  row[value.length] = MARK;
  row.writeUInt32LE(crc32(value, crc32(key)), value.length + MARK_BYTES);
  return row;
}

/** Whether the checksum behind a value, which begins at `end`, is that of the row. */
export function holdsChecksum(key: string, row: Uint8Array, end: number): boolean {
  if (row[end] !== MARK) return false;
  const at = end + MARK_BYTES;
  // Without a DataView: this is read with every debit.
  const sum = (row[at]! | (row[at + 1]! << 8) | (row[at + 2]! << 16) | (row[at + 3]! << 24)) >>> 0;
  // What lmdb lends is longer than it says.
  return sum === crc32(Uint8Array.prototype.subarray.call(row, 0, end), crc32(key));
}
