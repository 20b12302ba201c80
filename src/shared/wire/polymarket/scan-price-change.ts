import type { LevelChange, MarketFrame } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import type { Side } from '#domain/market';
import { PRICE_TICKS_LIMIT } from './book-snapshot.js';
import { ByteReader, FixedText } from './byte-reader.js';

const byteOf = (character: string) => character.charCodeAt(0);
const QUOTE = byteOf('"');
const OBJECT = byteOf('{');
const OBJECT_END = byteOf('}');
const LIST_END = byteOf(']');
const COLON = byteOf(':');
const COMMA = byteOf(',');

/** What stands behind the opening quote. */
const PRICE_CHANGE = new FixedText('price_change"');
const BUY = new FixedText('BUY"');
const SELL = new FixedText('SELL"');

/**
 * A key, with its colon and the first byte of its value: as the venue writes them, and in parts.
 */
class Key {
  readonly compact: FixedText;
  readonly name: FixedText;
  readonly opens: number;

  constructor(
    name: string,
    readonly bit: number,
    opens: '"' | '[' = '"',
  ) {
    this.compact = new FixedText(`"${name}":${opens}`);
    this.name = new FixedText(`${name}"`);
    this.opens = byteOf(opens);
  }
}

/**
 * The keys of a change and of the frame around them, in the venue's order. Each may come once; no
 * other may.
 */
const ASSET_ID = new Key('asset_id', 1);
const PRICE = new Key('price', 2);
const SIZE = new Key('size', 4);
const SIDE = new Key('side', 8);
const HASH = new Key('hash', 16);
const CHANGE_KEYS = [ASSET_ID, PRICE, SIZE, SIDE, HASH, new Key('best_bid', 32), new Key('best_ask', 64)];
const CHANGE_NEEDS = ASSET_ID.bit | PRICE.bit | SIZE.bit | SIDE.bit;
const PRICE_CHANGES = new Key('price_changes', 2, '[');
const TIMESTAMP = new Key('timestamp', 4);
const EVENT_TYPE = new Key('event_type', 8);
const FRAME_KEYS = [new Key('market', 1), PRICE_CHANGES, TIMESTAMP, EVENT_TYPE];
const FRAME_NEEDS = 15;

/**
 * Reads `price_change` frames in today's form off their bytes, without JSON.parse: nine of ten
 * frames are of this kind. It reads only plain texts of ASCII under keys of today's form, each at
 * most once, in any order and with any blanks. Of everything else it says null, and the parser of
 * all frames decides; so what it does return is what that one would.
 */
export class PriceChangeScanner {
  readonly #reader = new ByteReader();

  /** Returns the frame, or null for one that is not as usual. */
  scan(bytes: Buffer): MarketFrame | null {
    if (!this.#reader.begin(bytes)) return null;
    const frame = this.#takeFrame();
    return frame !== null && this.#reader.isAtEnd() ? frame : null;
  }

  #takeFrame(): MarketFrame | null {
    const reader = this.#reader;
    let seen = 0;
    let timestampMs = -1;
    let changes: LevelChange[] | null = null;
    if (!reader.take(OBJECT)) return null;
    for (let turn = 0; turn === 0 || reader.take(COMMA); turn++) {
      const key = this.#takeKey(FRAME_KEYS, turn);
      if (key === null || (seen & key.bit) !== 0) return null;
      seen |= key.bit;
      if (key === PRICE_CHANGES) changes = this.#takeChanges();
      else if (key === TIMESTAMP) timestampMs = reader.takeWhole();
      else if (key === EVENT_TYPE ? !reader.takeFixed(PRICE_CHANGE) : reader.takePlain() === -1) return null;
    }
    if (!reader.take(OBJECT_END) || seen !== FRAME_NEEDS || changes === null || timestampMs === -1) return null;
    return { events: [{ kind: 'price_change', timestampMs, changes }], badCount: 0, isScanned: true };
  }

  #takeChanges(): LevelChange[] | null {
    const changes: LevelChange[] = [];
    do {
      const change = this.#takeChange();
      if (change === null) return null;
      changes.push(change);
    } while (this.#reader.take(COMMA));
    return this.#reader.take(LIST_END) ? changes : null;
  }

  #takeChange(): LevelChange | null {
    const reader = this.#reader;
    let seen = 0;
    let tokenId = '' as TokenId;
    let side: Side | null = null;
    let priceTicks = -1;
    let sizeMicros = -1;
    let hash: string | null = null;
    if (!reader.take(OBJECT)) return null;
    for (let turn = 0; turn === 0 || reader.take(COMMA); turn++) {
      const key = this.#takeKey(CHANGE_KEYS, turn);
      if (key === null || (seen & key.bit) !== 0) return null;
      seen |= key.bit;
      if (key === PRICE) priceTicks = reader.takeScaled(4);
      else if (key === SIZE) sizeMicros = reader.takeScaled(6);
      else if (key === SIDE) side = this.#takeSide();
      else {
        const from = reader.takePlain();
        if (from === -1) return null;
        if (key === ASSET_ID) tokenId = reader.textFrom(from) as TokenId;
        else if (key === HASH) hash = reader.textFrom(from) || null;
      }
    }
    if (!reader.take(OBJECT_END) || (seen & CHANGE_NEEDS) !== CHANGE_NEEDS) return null;
    if (side === null || sizeMicros === -1 || priceTicks <= 0 || priceTicks >= PRICE_TICKS_LIMIT) return null;
    return { tokenId, side, priceTicks, sizeMicros, hash };
  }

  #takeSide(): Side | null {
    if (this.#reader.takeFixed(BUY)) return 'BUY';
    return this.#reader.takeFixed(SELL) ? 'SELL' : null;
  }

  /**
   * Takes a key up to where its value begins. The one that comes next in the venue's order is tried
   * first.
   */
  #takeKey(keys: readonly Key[], turn: number): Key | null {
    const expected = keys[turn];
    if (expected !== undefined && this.#reader.takeFixed(expected.compact)) return expected;
    for (const key of keys) if (this.#reader.takeFixed(key.compact)) return key;
    return this.#takeSpacedKey(keys);
  }

  #takeSpacedKey(keys: readonly Key[]): Key | null {
    const reader = this.#reader;
    if (!reader.take(QUOTE)) return null;
    for (const key of keys) {
      if (reader.takeFixed(key.name)) return reader.take(COLON) && reader.take(key.opens) ? key : null;
    }
    return null;
  }
}
