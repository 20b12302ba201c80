/**
 * A frame is copied to one place and read there many bytes at a time: the engine reads a number off
 * a DataView that never changes in one instruction, and to make a view of each frame takes longer
 * than the copy. It is one place for all connections, because nothing waits while a frame is read.
 *
 * Steps take the position where they begin and return where they end. `NOWHERE` is a position at
 * which no step finds anything, so that only the end of many steps has to be looked at. A step may
 * read on behind the frame, where older bytes lie: it belongs to the frame if the last one ends
 * where the frame does.
 */

/** Longer frames are not read here. */
const FRAME_BYTES_MAX = 16_384;
/** No step, and no few of them that are not looked at, gets further than this. */
const SLACK = 1_024;
export const NOWHERE = FRAME_BYTES_MAX + SLACK;

const BYTES = new Uint8Array(NOWHERE + SLACK);
/** Little-endian is what the machines are. */
export const VIEW = new DataView(BYTES.buffer);

export const QUOTE = 0x22;
const DOT = 0x2e;
const ZERO = 0x30;
/** Eight characters of ASCII are never a double that differs from itself, so that equal ones are equal bytes. */
const WORD_BYTES = 8;
/** Longer ones are not expected. */
const SHORT_TEXT_MAX = 32;
/** So many digits fit a small integer. */
const DIGITS_MAX = 9;
const WHOLE_DIGITS_MAX = 15;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/** Takes a frame in. Returns whether it has room. */
export function putFrame(frame: Uint8Array): boolean {
  if (frame.length > FRAME_BYTES_MAX) return false;
  BYTES.set(frame);
  return true;
}

/** Returns a piece of the frame as text. */
export function textAt(from: number, end: number): string {
  return Buffer.from(BYTES.buffer, from, end - from).toString('latin1');
}

/** A text of ASCII, of eight characters or more, that is looked for at a position. */
export class FixedText {
  readonly #length: number;
  readonly #lastOffset: number;
  /** The last one overlaps the one before it. */
  readonly #words: readonly number[];

  constructor(text: string) {
    const bytes = Buffer.from(text, 'latin1');
    this.#length = bytes.length;
    this.#lastOffset = bytes.length - WORD_BYTES;
    const offsets = Array.from({ length: Math.ceil(bytes.length / WORD_BYTES) }, (_, i) => i * WORD_BYTES);
    this.#words = offsets.map((offset) => bytes.readDoubleLE(Math.min(offset, this.#lastOffset)));
  }

  /** Returns where it ends. */
  endFrom(at: number): number {
    const words = this.#words;
    const last = words.length - 1;
    if (VIEW.getFloat64(at + this.#lastOffset, true) !== words[last]) return NOWHERE;
    for (let i = 0; i < last; i++) if (VIEW.getFloat64(at + i * WORD_BYTES, true) !== words[i]) return NOWHERE;
    return at + this.#length;
  }
}

/** Returns where the quote stands that ends a short text of plain characters. */
export function plainEnd(from: number): number {
  for (let at = from; at < from + SHORT_TEXT_MAX; at += 4) {
    const found = specials(VIEW.getInt32(at, true));
    if (found === 0) continue;
    const end = at + firstByte(found);
    return BYTES[end] === QUOTE ? end : NOWHERE;
  }
  return NOWHERE;
}

/** Whether so many characters, a multiple of four, are plain. */
export function arePlain(from: number, count: number): boolean {
  let found = 0;
  for (let at = from; at < from + count; at += 4) found |= specials(VIEW.getInt32(at, true));
  return found === 0;
}

/** Returns how many digits stand here, up to so many. */
export function digitsAt(from: number, max: number): number {
  let at = from;
  while (at < from + max && BYTES[at]! >= ZERO && BYTES[at]! <= ZERO + 9) at++;
  return at - from;
}

/**
 * Returns a plain text as a count of 10^-places units (0 to 6 places), or -1 if it is no decimal,
 * or an unusual one: `parseScaled` (domain/decimal.ts) reads none of the others otherwise.
 */
export function scaledAt(from: number, end: number, places: number): number {
  if (end - from > DIGITS_MAX) return -1;
  let units = 0;
  let dot = end;
  for (let at = from; at < end; at++) {
    const digit = BYTES[at]! - ZERO;
    if (digit >= 0 && digit <= 9) units = (Math.imul(units, 10) + digit) | 0;
    else if (digit === DOT - ZERO && dot === end) dot = at;
    else return -1;
  }
  const left = dot === end ? places : places - (end - dot - 1);
  if (left < 0 || end - from === (dot === end ? 0 : 1)) return -1;
  return units * POWERS[left]!;
}

/** Returns the number that 1 to 15 digits stand for, or -1 if it is anything else. */
export function wholeAt(from: number, end: number): number {
  const digits = end - from;
  if (digits < 1 || digits > WHOLE_DIGITS_MAX || digitsAt(from, digits) !== digits) return -1;
  const middle = Math.max(from, end - DIGITS_MAX);
  return (middle > from ? scaledAt(from, middle, 0) * 10 ** DIGITS_MAX : 0) + scaledAt(middle, end, 0);
}

/**
 * Of four bytes those that do not stand for themselves in a JSON text: quotes, backslashes, and
 * what is no ASCII that can be seen. The lowest bit set is in the first of them; those above it may
 * be wrong.
 */
function specials(word: number): number {
  const controls = (word - 0x20202020) & ~word;
  return (zeros(word ^ 0x22222222) | zeros(word ^ 0x5c5c5c5c) | controls | word) & 0x80808080;
}

function zeros(word: number): number {
  return (word - 0x01010101) & ~word;
}

/** Which of four bytes has the lowest bit set. */
function firstByte(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}
