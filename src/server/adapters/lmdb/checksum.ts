/** An odd number, so that a multiplication by it loses nothing. */
const MULTIPLIER = 0x5bd1e995;
/** Begins a checksum: no value begins or ends with it, so that a value cannot grow by one damaged bit into its checksum. */
const MARK = 0xc1;
export const CHECKSUM_BYTES = 5;

/**
 * Returns the checksum of a row: 32 bits over its key and the bytes of its value up to `end`, four at
 * a time. Each step can be undone, so a change within four bytes never goes unseen, and another one
 * in 2^-32 of all cases. Here because it is computed for each row of a call: 0.1 µs a row of 100
 * bytes, where zlib.crc32 takes 2.
 */
function checksumOf(key: string, bytes: Uint8Array, end: number): number {
  let sum = end;
  for (let at = 0; at < key.length; at++) sum = mix(sum, key.charCodeAt(at));
  let at = 0;
  for (; at + 4 <= end; at += 4) {
    sum = mix(sum, bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
  }
  for (; at < end; at++) sum = mix(sum, bytes[at]!);
  return sum >>> 0;
}

function mix(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, MULTIPLIER);
  return mixed ^ (mixed >>> 15);
}

/** Whether the checksum behind a value, which begins at `end`, is that of the row. */
export function holdsChecksum(key: string, bytes: Uint8Array, end: number): boolean {
  if (bytes[end] !== MARK) return false;
  const sum = checksumOf(key, bytes, end);
  for (let at = 1; at < CHECKSUM_BYTES; at++) if (bytes[end + at] !== ((sum >>> (8 * (at - 1))) & 0xff)) return false;
  return true;
}

/** Returns the bytes of a value with their checksum behind them. */
export function withChecksum(key: string, bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const row = new Uint8Array(length + CHECKSUM_BYTES);
  row.set(bytes);
  const sum = checksumOf(key, bytes, length);
  row[length] = MARK;
  for (let at = 1; at < CHECKSUM_BYTES; at++) row[length + at] = sum >>> (8 * (at - 1));
  return row;
}
