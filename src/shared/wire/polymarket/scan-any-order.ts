import type { LevelChange, MarketFrame } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import type { Side } from '#domain/market';
import { PRICE_TICKS_LIMIT } from './book-snapshot.js';
import { ByteReader } from './byte-reader.js';

const byteOf = (character: string) => character.charCodeAt(0);
const QUOTE = byteOf('"');
const OBJECT = byteOf('{');
const OBJECT_END = byteOf('}');
const LIST = byteOf('[');
const LIST_END = byteOf(']');
const COLON = byteOf(':');
const COMMA = byteOf(',');

/** The rest of a text, with its end. */
const restOf = (text: string) => Buffer.from(`${text}"`, 'latin1');
const PRICE_CHANGE = restOf('price_change');
const BUY = restOf('BUY');
const SELL = restOf('SELL');

interface Key {
  readonly bytes: Buffer;
  readonly bit: number;
}
const key = (text: string, bit: number): Key => ({ bytes: restOf(text), bit });

/** The keys of a change and of the frame around them, in the venue's order. Each may come once; no other may. */
const ASSET_ID = key('asset_id', 1);
const PRICE = key('price', 2);
const SIZE = key('size', 4);
const SIDE = key('side', 8);
const HASH = key('hash', 16);
const CHANGE_KEYS = [ASSET_ID, PRICE, SIZE, SIDE, HASH, key('best_bid', 32), key('best_ask', 64)];
const CHANGE_NEEDS = ASSET_ID.bit | PRICE.bit | SIZE.bit | SIDE.bit;
const PRICE_CHANGES = key('price_changes', 2);
const TIMESTAMP = key('timestamp', 4);
const EVENT_TYPE = key('event_type', 8);
const FRAME_KEYS = [key('market', 1), PRICE_CHANGES, TIMESTAMP, EVENT_TYPE];
const FRAME_NEEDS = 15;

/**
 * Reads `price_change` frames in today's form off their bytes, byte by byte. It knows only what is
 * usual: plain texts of ASCII, known keys, each at most once, in any order and with any blanks. Of
 * everything else it says null.
 */
export class AnyOrderScanner {
  readonly #reader = new ByteReader();

  /** Returns the frame, or null for one that is not as usual. */
  scan(bytes: Buffer): MarketFrame | null {
    this.#reader.begin(bytes);
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
      const found = this.#takeKey(FRAME_KEYS, turn);
      if (found === null || (seen & found.bit) !== 0) return null;
      seen |= found.bit;
      if (found === PRICE_CHANGES) {
        changes = this.#takeChanges();
        if (changes === null) return null;
      } else if (!reader.take(QUOTE)) return null;
      else if (found === TIMESTAMP) timestampMs = reader.takeWhole();
      else if (found === EVENT_TYPE ? !reader.takeAll(PRICE_CHANGE) : reader.takePlain() === -1) return null;
    }
    if (!reader.take(OBJECT_END) || seen !== FRAME_NEEDS || changes === null || timestampMs === -1) return null;
    return { events: [{ kind: 'price_change', timestampMs, changes }], badCount: 0, isScanned: true };
  }

  #takeChanges(): LevelChange[] | null {
    const reader = this.#reader;
    const changes: LevelChange[] = [];
    if (!reader.take(LIST)) return null;
    do {
      const change = this.#takeChange();
      if (change === null) return null;
      changes.push(change);
    } while (reader.take(COMMA));
    return reader.take(LIST_END) ? changes : null;
  }

  #takeChange(): LevelChange | null {
    const reader = this.#reader;
    let seen = 0;
    let tokenId: TokenId | null = null;
    let side: Side | null = null;
    let priceTicks = -1;
    let sizeMicros = -1;
    let hash: string | null = null;
    if (!reader.take(OBJECT)) return null;
    for (let turn = 0; turn === 0 || reader.take(COMMA); turn++) {
      const found = this.#takeKey(CHANGE_KEYS, turn);
      if (found === null || (seen & found.bit) !== 0 || !reader.take(QUOTE)) return null;
      seen |= found.bit;
      if (found === PRICE) priceTicks = reader.takeScaled(4);
      else if (found === SIZE) sizeMicros = reader.takeScaled(6);
      else if (found === SIDE) side = this.#takeSide();
      else {
        const from = reader.takePlain();
        if (from === -1) return null;
        if (found === ASSET_ID) tokenId = reader.textFrom(from) as TokenId;
        else if (found === HASH) hash = reader.textFrom(from) || null;
      }
    }
    if (!reader.take(OBJECT_END) || (seen & CHANGE_NEEDS) !== CHANGE_NEEDS) return null;
    if (tokenId === null || side === null || sizeMicros === -1) return null;
    if (priceTicks <= 0 || priceTicks >= PRICE_TICKS_LIMIT) return null;
    return { tokenId, side, priceTicks, sizeMicros, hash };
  }

  #takeSide(): Side | null {
    if (this.#reader.takeAll(BUY)) return 'BUY';
    return this.#reader.takeAll(SELL) ? 'SELL' : null;
  }

  /** Takes a key with its colon. The one whose turn it is in the venue's order is looked for first. */
  #takeKey(keys: readonly Key[], turn: number): Key | null {
    const reader = this.#reader;
    if (!reader.take(QUOTE)) return null;
    const expected = keys[turn];
    if (expected !== undefined && reader.takeAll(expected.bytes)) return reader.take(COLON) ? expected : null;
    for (const other of keys) if (reader.takeAll(other.bytes)) return reader.take(COLON) ? other : null;
    return null;
  }
}
