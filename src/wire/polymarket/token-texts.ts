import type { TokenId } from '#domain/ids';
import type { ByteReader } from './byte-reader.js';

/** So many digits fit a small integer. */
const PART_DIGITS = 9;
/** Token ids have up to 78 digits. */
const PARTS = 9;
/** Texts kept; a connection has some thousand tokens. All are forgotten when there are more. */
const TEXTS_MAX = 20_000;

interface KnownText {
  readonly digits: number;
  readonly parts: Int32Array;
  readonly text: TokenId;
}

/**
 * The texts of token ids by their digits: much of the time of a frame would else go into making the
 * same texts again, and hashing them to find their books.
 */
export class TokenTexts {
  readonly #known = new Map<number, KnownText>();
  readonly #parts = new Int32Array(PARTS);

  /** Takes the rest of a text that is a token id; null if these are not 1 to 81 digits. */
  take(reader: ByteReader): TokenId | null {
    const digits = reader.takeDigitParts(this.#parts, PART_DIGITS);
    if (digits === -1) return null;
    const key = this.#key(digits);
    const known = this.#known.get(key);
    return known !== undefined && this.#isThat(known, digits) ? known.text : this.#keep(key, digits);
  }

  /** A small integer, which a map finds without allocating, and which differs for most ids. */
  #key(digits: number): number {
    let mixed = digits;
    for (let i = 0; i < PARTS; i++) mixed = (Math.imul(mixed, 31) + this.#parts[i]!) | 0;
    return mixed & 0x3fffffff;
  }

  #isThat({ digits, parts }: KnownText, wanted: number): boolean {
    if (digits !== wanted) return false;
    for (let i = 0; i < PARTS; i++) if (parts[i] !== this.#parts[i]) return false;
    return true;
  }

  #keep(key: number, digits: number): TokenId {
    const text = textOf(this.#parts, digits);
    if (this.#known.size >= TEXTS_MAX) this.#known.clear();
    this.#known.set(key, { digits, parts: this.#parts.slice(), text });
    return text;
  }
}

/** The digits again; the last part may have fewer than the others. */
function textOf(parts: Int32Array, digits: number): TokenId {
  const texts = Array.from(parts, (part, i) => {
    const own = Math.min(PART_DIGITS, digits - i * PART_DIGITS);
    return own > 0 ? String(part).padStart(own, '0') : '';
  });
  return texts.join('') as TokenId;
}
