/**
 * Frames are copied into one array of bytes and read there: the engine reads four bytes at once off
 * a DataView that never changes, and to make a view of each frame takes longer than the copy. One
 * array is enough for all connections, because nothing waits while a frame is read.
 */
const FRAME_BYTES_MAX = 16_384;
/** A word that begins in a frame may end behind it. */
const WORD_BYTES = 4;
const BYTES = new Uint8Array(FRAME_BYTES_MAX + WORD_BYTES);
const VIEW = new DataView(BYTES.buffer);

const QUOTE = 0x22;
const ZERO = 0x30;
const DOT = 0x2e;
const WHOLE_DIGITS_MAX = 15;
const FRACTION_DIGITS_MAX = 18;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/** A text of ASCII, of four characters or more, as a `ByteReader` compares it. */
export class FixedText {
  readonly length: number;
  /** The last one overlaps the one before it. */
  readonly words: readonly number[];

  constructor(text: string) {
    const bytes = Buffer.from(text, 'latin1');
    const last = bytes.length - WORD_BYTES;
    this.length = bytes.length;
    this.words = Array.from({ length: Math.ceil(bytes.length / WORD_BYTES) }, (_, i) =>
      bytes.readInt32LE(Math.min(i * WORD_BYTES, last)),
    );
  }
}

/**
 * Reads JSON off its bytes, one token after the other. Each method that begins with `take` returns
 * whether that token was next, and goes on behind it.
 */
export class ByteReader {
  #text = '';
  #at = 0;
  #length = 0;

  /** Begins with a frame. Returns false if it is too long to be read here. */
  begin(bytes: Buffer): boolean {
    if (bytes.length > FRAME_BYTES_MAX) return false;
    BYTES.set(bytes);
    this.#text = bytes.toString('latin1');
    this.#at = 0;
    this.#length = bytes.length;
    return true;
  }

  /** Whether nothing but blanks is left. */
  isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at === this.#length;
  }

  /** Takes one byte, with any blanks before it. */
  take(byte: number): boolean {
    if (this.#takeByte(byte)) return true;
    this.#skipBlanks();
    return this.#takeByte(byte);
  }

  /** Takes this text and nothing else. */
  takeFixed({ words, length }: FixedText): boolean {
    const at = this.#at;
    const end = at + length;
    const last = words.length - 1;
    if (end > this.#length || VIEW.getInt32(end - WORD_BYTES, true) !== words[last]) return false;
    for (let i = 0; i < last; i++) if (VIEW.getInt32(at + i * WORD_BYTES, true) !== words[i]) return false;
    this.#at = end;
    return true;
  }

  /**
   * Takes the rest of a text of ASCII without escapes, with its end. Returns where it began, or -1.
   */
  takePlain(): number {
    const from = this.#at;
    for (let at = from; at < this.#length; at += WORD_BYTES) {
      const found = specials(VIEW.getInt32(at, true));
      if (found === 0) continue;
      const end = at + firstByte(found);
      if (end >= this.#length || BYTES[end] !== QUOTE) return -1;
      this.#at = end + 1;
      return from;
    }
    return -1;
  }

  /** The text that `takePlain` took. */
  textFrom(from: number): string {
    return this.#text.slice(from, this.#at - 1);
  }

  /** Takes the rest of a text of 1 to 15 digits. Returns the number, or -1. */
  takeWhole(): number {
    const from = this.#at;
    const value = this.#takeDigits(0, WHOLE_DIGITS_MAX);
    return this.#at > from && this.#takeByte(QUOTE) ? value : -1;
  }

  /**
   * Takes the rest of a text that is a decimal. Returns it as a count of 10^-places units (0 to 6
   * places), or -1 where `parseScaled` (domain/decimal.ts) has null.
   */
  takeScaled(places: number): number {
    const from = this.#at;
    let units = this.#takeDigits(0, WHOLE_DIGITS_MAX);
    let digits = this.#at - from;
    let left = places;
    if (this.#takeByte(DOT)) {
      const fraction = this.#at;
      units = this.#takeDigits(units, places);
      left -= this.#at - fraction;
      while (this.#takeByte(ZERO));
      if (this.#at - fraction > FRACTION_DIGITS_MAX) return -1;
      digits += this.#at - fraction;
    }
    if (digits === 0 || !this.#takeByte(QUOTE)) return -1;
    units *= POWERS[left]!;
    return Number.isSafeInteger(units) ? units : -1;
  }

  /** Up to so many digits, behind those that `value` has already. */
  #takeDigits(value: number, digitsMax: number): number {
    const end = Math.min(this.#at + digitsMax, this.#length);
    let sum = value;
    let at = this.#at;
    for (; at < end; at++) {
      const digit = BYTES[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      sum = sum * 10 + digit;
    }
    this.#at = at;
    return sum;
  }

  #takeByte(byte: number): boolean {
    if (this.#at >= this.#length || BYTES[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    while (this.#at < this.#length && isBlank(BYTES[this.#at]!)) this.#at++;
  }
}

/** As JSON has them. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
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
