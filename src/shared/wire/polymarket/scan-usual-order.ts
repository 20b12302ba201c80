import type { LevelChange, MarketFrame } from '#domain/book/book';
import type { Side } from '#domain/market';
import { PRICE_TICKS_LIMIT } from './book-snapshot.js';
import { type ChangeValue, FRAME_LAYOUTS, type FrameLayout } from './frame-layouts.js';
import { arePlain, NOWHERE, plainEnd, putFrame, scaledAt, VIEW, wholeAt } from './frame-words.js';
import { HashReader } from './hash-words.js';
import { KnownTokens } from './known-tokens.js';

/** Digits of a market behind its 0x. */
const MARKET_DIGITS = 64;
const BUY = Buffer.from('BUY"', 'latin1').readInt32LE();
const SELL = Buffer.from('SELL', 'latin1').readInt32LE();

/**
 * Reads `price_change` frames in the layouts that were seen (frame-layouts.ts): what stands between
 * the values is compared as it is, many bytes at a time, and only the values are read. Of all other
 * frames it says null.
 */
export class UsualOrderScanner {
  readonly #tokens = new KnownTokens();
  readonly #hashes = new HashReader();
  /** The layout of the last frame that was read: a connection has one. */
  #layout = FRAME_LAYOUTS[0]!;
  #priceTicks = -1;
  #sizeMicros = -1;
  #side: Side = 'BUY';
  /** Where the last change ended. */
  #end = 0;

  /** Returns the frame, or null for one in another layout, and for one that is not as usual. */
  scan(bytes: Buffer): MarketFrame | null {
    if (!putFrame(bytes)) return null;
    return this.#takeFrame(this.#layout, bytes.length) ?? this.#takeOtherwise(bytes.length);
  }

  #takeOtherwise(length: number): MarketFrame | null {
    for (const layout of FRAME_LAYOUTS) {
      const frame = this.#takeFrame(layout, length);
      if (frame === null) continue;
      this.#layout = layout;
      return frame;
    }
    return null;
  }

  #takeFrame(layout: FrameLayout, length: number): MarketFrame | null {
    const market = layout.beforeMarket.endFrom(0);
    const changesAt = layout.beforeChanges.endFrom(market + MARKET_DIGITS);
    if (changesAt === NOWHERE || !arePlain(market, MARKET_DIGITS)) return null;
    const changes = this.#takeChanges(layout, changesAt, length);
    if (changes === null) return null;
    const timestamp = layout.beforeTimestamp.endFrom(this.#end);
    const timestampEnd = plainEnd(timestamp);
    const timestampMs = wholeAt(timestamp, timestampEnd);
    if (layout.end.endFrom(timestampEnd) !== length || timestampMs === -1) return null;
    return { events: [{ kind: 'price_change', timestampMs, changes }], badCount: 0, isScanned: true };
  }

  #takeChanges(layout: FrameLayout, from: number, length: number): LevelChange[] | null {
    const changes: LevelChange[] = [];
    for (let at = from; at !== NOWHERE; at = layout.beforeNextChange.endFrom(this.#end)) {
      if (at > length || !this.#takeChange(layout, at)) return null;
      const token = this.#tokens.taken;
      changes.push({
        tokenId: token.id,
        token,
        side: this.#side,
        priceTicks: this.#priceTicks,
        sizeMicros: this.#sizeMicros,
        hash: this.#hashes.taken,
      });
    }
    return changes;
  }

  #takeChange({ values, between }: FrameLayout, from: number): boolean {
    let at = from;
    for (let i = 0; i < values.length; i++) {
      if (i > 0) at = between[i - 1]!.endFrom(at);
      at = this.#takeValue(values[i]!, at);
      if (at === NOWHERE) return false;
    }
    this.#end = at;
    return this.#priceTicks > 0 && this.#priceTicks < PRICE_TICKS_LIMIT && this.#sizeMicros !== -1;
  }

  #takeValue(value: ChangeValue, from: number): number {
    if (value === 'token') return this.#tokens.take(from);
    if (value === 'hash') return this.#hashes.take(from);
    if (value === 'side') return this.#takeSide(from);
    const end = plainEnd(from);
    if (value === 'price') this.#priceTicks = scaledAt(from, end, 4);
    else if (value === 'size') this.#sizeMicros = scaledAt(from, end, 6);
    return end;
  }

  #takeSide(from: number): number {
    const word = VIEW.getInt32(from, true);
    if (word !== BUY && word !== SELL) return NOWHERE;
    this.#side = word === BUY ? 'BUY' : 'SELL';
    return from + this.#side.length;
  }
}
