const QUOTE = 0x22;
const ZERO = 0x30;
const DOT = 0x2e;
const WHOLE_DIGITS_MAX = 15;
const FRACTION_DIGITS_MAX = 18;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/** 1 for each byte that stands for itself in a JSON text: ASCII that can be seen, but quotes and backslashes. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 0x20 && byte <= 0x7e && !isSpecial(byte)));

function isSpecial(byte: number): boolean {
  return byte === QUOTE || byte === 0x5c;
}

/**
 * Reads JSON off its bytes, one thing after the other. Each method that begins with `take` says
 * whether the thing was there, and goes on behind it.
 */
export class ByteReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #length = 0;

  begin(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#length = bytes.length;
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

  /** Takes these bytes and nothing else. */
  takeAll(expected: Uint8Array): boolean {
    const at = this.#at;
    if (at + expected.length > this.#length) return false;
    for (let i = 0; i < expected.length; i++) if (this.#bytes[at + i] !== expected[i]) return false;
    this.#at = at + expected.length;
    return true;
  }

  /** Takes the rest of a text of plain bytes, with its end. Returns where it began, or -1. */
  takePlain(): number {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    while (at < this.#length && PLAIN[bytes[at]!] === 1) at++;
    if (at === this.#length || bytes[at] !== QUOTE) return -1;
    this.#at = at + 1;
    return from;
  }

  /** The text that `takePlain` took. */
  textFrom(from: number): string {
    return this.#bytes.toString('latin1', from, this.#at - 1);
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
    if (this.#at < this.#length && this.#bytes[this.#at] === DOT) {
      this.#at++;
      const fraction = this.#at;
      units = this.#takeDigits(units, places);
      left -= this.#at - fraction;
      while (this.#at < this.#length && this.#bytes[this.#at] === ZERO) this.#at++;
      if (this.#at - fraction > FRACTION_DIGITS_MAX) return -1;
      digits += this.#at - fraction;
    }
    if (digits === 0 || !this.#takeByte(QUOTE)) return -1;
    units *= POWERS[left]!;
    return Number.isSafeInteger(units) ? units : -1;
  }

  /** Up to so many digits, behind those that `value` has already. */
  #takeDigits(value: number, digitsMax: number): number {
    const bytes = this.#bytes;
    const end = Math.min(this.#at + digitsMax, this.#length);
    let sum = value;
    let at = this.#at;
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      sum = sum * 10 + digit;
    }
    this.#at = at;
    return sum;
  }

  #takeByte(byte: number): boolean {
    if (this.#at >= this.#length || this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    while (this.#at < this.#length && isBlank(this.#bytes[this.#at]!)) this.#at++;
  }
}

/** As JSON has them. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
