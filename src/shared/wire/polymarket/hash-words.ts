import { PackedSha1 } from '#domain/book/sent-hash';
import { NOWHERE, VIEW } from './frame-words.js';

const DIGITS_A_PART = 8;
const PARTS = 5;

/** What two hexadecimal digits in lower case stand for, by their two bytes; -1 for all other bytes. */
const PAIRS = new Int16Array(0x1_0000).fill(-1);
for (let value = 0; value < 0x100; value++) {
  PAIRS[Buffer.from(value.toString(16).padStart(2, '0'), 'latin1').readUInt16LE()] = value;
}

/** Reads SHA-1s off the frame that was taken in (frame-words.ts). */
export class HashReader {
  readonly #parts = new Int32Array(PARTS);

  /** Returns where the 40 hexadecimal digits in lower case end that stand here. */
  take(from: number): number {
    let all = 0;
    for (let i = 0; i < PARTS; i++) {
      const at = from + i * DIGITS_A_PART;
      const [a, b, c, d] = [pairAt(at), pairAt(at + 2), pairAt(at + 4), pairAt(at + 6)];
      all |= a | b | c | d;
      this.#parts[i] = (a << 24) | (b << 16) | (c << 8) | d;
    }
    return all >= 0 ? from + PARTS * DIGITS_A_PART : NOWHERE;
  }

  /** The one that was taken last. */
  get taken(): PackedSha1 {
    const parts = this.#parts;
    return new PackedSha1(parts[0]!, parts[1]!, parts[2]!, parts[3]!, parts[4]!);
  }
}

function pairAt(at: number): number {
  return PAIRS[VIEW.getUint16(at, true)]!;
}
