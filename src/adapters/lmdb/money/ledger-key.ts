import { LEDGER, ledgerKey, POSITION_MAX } from './keys.js';

const NINE = '9'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/**
 * Keys of ledger entries in the bytes that lmdb makes of `ledgerKey`. Positions come one after the other, so that the last digits
 * of the key before are counted up: to write and encode a text anew takes a twentieth of a debit.
 */
export class LedgerKeyBytes {
  readonly #bytes = Buffer.from(ledgerKey(0), 'latin1');
  #position = 0;

  /** Returns the key of a position, in memory that the next key is written over. Throws a RangeError beyond the last one. */
  at(position: number): Uint8Array {
    if (position > POSITION_MAX)
      throw new RangeError(`a ledger has ${POSITION_MAX} positions, and none is ${position}`);
    if (position === this.#position + 1) this.#countUp();
    else this.#bytes.write(ledgerKey(position), 'latin1');
    this.#position = position;
    return this.#bytes;
  }

  #countUp(): void {
    let at = this.#bytes.length - 1;
    while (at > LEDGER.length && this.#bytes[at] === NINE) this.#bytes[at--] = ZERO;
    this.#bytes[at]!++;
  }
}
