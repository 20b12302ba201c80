import { asBinary } from 'lmdb';

const FIRST_BYTES = 16_384;
/** A head and the largest number. */
const NUMBER_BYTES_MAX = 9;
/** A head, and three bytes for each code unit. */
const textBytesMax = (text: string) => 5 + 3 * text.length;
/** Shorter texts are written here, longer ones by a call out of JavaScript. */
const SHORT_LENGTH = 64;
const ASCII_END = 0x80;

/**
 * Writes a row's MessagePack, the same bytes that lmdb's encoder makes of the same values, at a
 * fraction of its cost, because who writes says what comes. Texts are well-formed. One piece of memory serves all rows.
 */
export class RowWriter {
  #bytes = memoryOf(FIRST_BYTES);
  #view = viewOf(this.#bytes);
  #stored = asBinary(this.#bytes);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  /** The row, in memory that the next row is written over. */
  end(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** The same, to be put inside a write transaction: outside of one lmdb reads the memory when it is another row's. */
  stored(): ReturnType<typeof asBinary> {
    this.#bytes.end = this.#at;
    return this.#stored;
  }

  /** A list of so many values, which come next. */
  list(length: number): void {
    this.#need(NUMBER_BYTES_MAX);
    if (length < 0x10) this.#bytes[this.#at++] = 0x90 | length;
    else if (length > 0xffff) {
      this.#bytes[this.#at++] = 0xdd;
      this.#view.setUint32(this.#at, length);
      this.#at += 4;
    } else {
      this.#bytes[this.#at++] = 0xdc;
      this.#view.setUint16(this.#at, length);
      this.#at += 2;
    }
  }

  /** Throws a RangeError for anything but a whole number of at least 0: such a row could not be read again. */
  count(value: number): void {
    this.#need(NUMBER_BYTES_MAX);
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a row counts in whole numbers, not ${value}`);
    if (value < 0x40) this.#bytes[this.#at++] = value;
    else if (value < 0x100) {
      this.#bytes[this.#at++] = 0xcc;
      this.#bytes[this.#at++] = value;
    } else if (value < 0x10000) {
      this.#bytes[this.#at++] = 0xcd;
      this.#view.setUint16(this.#at, value);
      this.#at += 2;
    } else if (value < 0x100000000) {
      this.#bytes[this.#at++] = 0xce;
      this.#view.setUint32(this.#at, value);
      this.#at += 4;
    } else {
      this.#bytes[this.#at++] = 0xcb;
      this.#view.setFloat64(this.#at, value);
      this.#at += 8;
    }
  }

  textOrNull(text: string | null): void {
    if (text !== null) this.text(text);
    else {
      this.#need(1);
      this.#bytes[this.#at++] = 0xc0;
    }
  }

  text(text: string): void {
    this.#need(textBytesMax(text));
    if (text.length >= SHORT_LENGTH || !this.#takeAscii(text)) this.#takeAny(text);
  }

  /** Returns false, and leaves nothing behind, if not all of it is ASCII. */
  #takeAscii(text: string): boolean {
    const { length } = text;
    const bytes = this.#bytes;
    let at = this.#at;
    if (length < 0x20) bytes[at++] = 0xa0 | length;
    else {
      bytes[at++] = 0xd9;
      bytes[at++] = length;
    }
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= ASCII_END) return false;
      bytes[at++] = unit;
    }
    this.#at = at;
    return true;
  }

  #takeAny(text: string): void {
    const length = Buffer.byteLength(text);
    if (length < 0x20) this.#bytes[this.#at++] = 0xa0 | length;
    else if (length < 0x100) {
      this.#bytes[this.#at++] = 0xd9;
      this.#bytes[this.#at++] = length;
    } else if (length < 0x10000) {
      this.#bytes[this.#at++] = 0xda;
      this.#view.setUint16(this.#at, length);
      this.#at += 2;
    } else {
      this.#bytes[this.#at++] = 0xdb;
      this.#view.setUint32(this.#at, length);
      this.#at += 4;
    }
    this.#at += this.#bytes.write(text, this.#at, 'utf8');
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) this.#grow(bytes);
  }

  #grow(bytes: number): void {
    const larger = memoryOf(2 * (this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = viewOf(larger);
    this.#stored = asBinary(larger);
  }
}

/** Memory of which lmdb writes a part: so its own encoder gives it values, which makes no object for each. */
interface Memory extends Buffer {
  start: number;
  end: number;
}

function memoryOf(bytes: number): Memory {
  return Object.assign(Buffer.allocUnsafeSlow(bytes), { start: 0, end: 0 });
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
