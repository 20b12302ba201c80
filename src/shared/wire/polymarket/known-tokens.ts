import { KnownToken } from '#domain/book/known-token';
import type { TokenId } from '#domain/ids';
import { digitsAt, NOWHERE, QUOTE, textAt, VIEW } from './frame-words.js';

/** Shorter ids than these, of which one in 100,000 is, are left to others. */
const DIGITS_MIN = 72;
const DIGITS_MAX = 78;
/** Words of eight digits, and one more that ends with the quote behind the last digit. */
const WORD_BYTES = 8;
const WHOLE_WORDS = DIGITS_MIN / WORD_BYTES;
const WORDS = WHOLE_WORDS + 1;
/** Ids kept; a connection has some hundred. All are forgotten when there are more. */
const TOKENS_MAX = 2_048;
const SLOTS = 4 * TOKENS_MAX;
const WORDS_AT_FIRST = 64 * WORDS;

/**
 * The token ids that a connection has brought, found by all of their bytes: to make the text of an
 * id anew, and the hash by which a table finds it, takes longer than to read the rest of a change.
 */
export class KnownTokens {
  /** Where in `#tokens` the id is, plus one; 0 where none is. Those that share a slot lie one behind the other. */
  readonly #slots = new Int16Array(SLOTS);
  readonly #tokens: KnownToken[] = [];
  #words = new Float64Array(WORDS_AT_FIRST);
  #taken = new KnownToken('' as TokenId);

  /** The token that was taken last. */
  get taken(): KnownToken {
    return this.#taken;
  }

  /** Returns where the token id ends that stands here. */
  take(from: number): number {
    let slot = slotOf(from);
    for (let no = this.#slots[slot]!; no > 0; no = this.#slots[slot]!) {
      const token = this.#tokens[no - 1]!;
      if (this.#isAt(from, no - 1, token.digits)) {
        this.#taken = token;
        return from + token.digits;
      }
      slot = (slot + 1) % SLOTS;
    }
    return this.#learn(from, slot);
  }

  #isAt(from: number, no: number, digits: number): boolean {
    const words = this.#words;
    const first = no * WORDS;
    for (let i = 0; i < WHOLE_WORDS; i++) {
      if (VIEW.getFloat64(from + i * WORD_BYTES, true) !== words[first + i]) return false;
    }
    return lastWord(from, digits) === words[first + WHOLE_WORDS];
  }

  #learn(from: number, slot: number): number {
    const digits = digitsAt(from, DIGITS_MAX);
    const end = from + digits;
    if (digits < DIGITS_MIN || VIEW.getUint8(end) !== QUOTE) return NOWHERE;
    if (this.#tokens.length === TOKENS_MAX) this.#forgetAll();
    this.#taken = new KnownToken(textAt(from, end) as TokenId);
    this.#slots[slot] = this.#tokens.push(this.#taken);
    this.#keepWords(from, digits);
    return end;
  }

  #keepWords(from: number, digits: number): void {
    const first = (this.#tokens.length - 1) * WORDS;
    if (first === this.#words.length) {
      const old = this.#words;
      this.#words = new Float64Array(old.length * 2);
      this.#words.set(old);
    }
    for (let i = 0; i < WHOLE_WORDS; i++) this.#words[first + i] = VIEW.getFloat64(from + i * WORD_BYTES, true);
    this.#words[first + WHOLE_WORDS] = lastWord(from, digits);
  }

  #forgetAll(): void {
    this.#slots.fill(0);
    this.#tokens.length = 0;
  }
}

/** It says how long the id is, because nothing else in it is a quote. */
function lastWord(from: number, digits: number): number {
  return VIEW.getFloat64(from + digits + 1 - WORD_BYTES, true);
}

/** Ids are as good as random; eight of their digits tell nearly all apart. */
function slotOf(from: number): number {
  const mixed = VIEW.getInt32(from + 20, true) ^ Math.imul(VIEW.getInt32(from + 60, true), 0x9e3779b1);
  return (Math.imul(mixed, 0x85ebca6b) >>> 8) % SLOTS;
}
