import { levelTexts } from '#domain/book/hashed-text';
import { Ladder } from '#domain/book/ladder';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { asObject, type JsonObject } from '#domain/json';
import { TICKS_PER_USD } from '#domain/money';
import type { Check } from '../evidence/check.js';

/**
 * Compares the book of an answer with one that somebody else recorded, as the venue's `GET /book`
 * writes it. Each side is equal if it has the same levels, in whatever order and spelling.
 */
export function compareBook(answer: JsonObject, recorded: JsonObject): readonly Check[] {
  const payload = asObject(asObject(answer.evidence)?.payload);
  const book = asObject(payload?.book) ?? {};
  const tokenId = asObject(payload?.market)?.token_id;
  return [
    same('book_token', tokenId, recorded.asset_id),
    same('book_time', String(book.timestamp_ms), String(recorded.timestamp)),
    sameSide('bids', book.bids, recorded.bids),
    sameSide('asks', book.asks, recorded.asks),
    hashCheck(book.venue_hash, recorded.hash),
  ];
}

function same(name: string, received: unknown, recorded: unknown): Check {
  const says = received === recorded ? `recorded too: ${received}` : `received ${received}, recorded ${recorded}`;
  return { name, holds: received === recorded, says };
}

function sameSide(kind: 'bids' | 'asks', received: unknown, recorded: unknown): Check {
  const name = `book_${kind}`;
  const [ours, theirs] = [levelsOf(kind, received), levelsOf(kind, recorded)];
  if (ours === null || theirs === null) return { name, holds: false, says: 'one of the two has no such side' };
  const all = new Set([...ours, ...theirs]);
  const recordedToo = new Set(theirs);
  const shared = ours.filter((level) => recordedToo.has(level)).length;
  const differing = all.size - shared;
  const says = differing === 0 ? `the same ${ours.length} levels` : `${differing} levels of ${all.size} differ`;
  return { name, holds: differing === 0, says };
}

function hashCheck(received: unknown, recorded: unknown): Check {
  const name = 'book_hash';
  if (typeof received !== 'string' || typeof recorded !== 'string' || recorded === '') {
    return { name, holds: null, says: 'one of the two has none' };
  }
  return same(name, received, recorded);
}

/** The levels of a side in one order and one spelling; null if they cannot be read. */
function levelsOf(kind: 'bids' | 'asks', side: unknown): readonly string[] | null {
  if (!Array.isArray(side)) return null;
  const ladder = new Ladder(kind);
  for (const level of side) {
    const [price, size] = Array.isArray(level) ? level : [asObject(level)?.price, asObject(level)?.size];
    const priceTicks = typeof price === 'string' ? parsePriceTicks(price) : null;
    const sizeMicros = typeof size === 'string' ? parseSizeMicros(size) : null;
    if (priceTicks === null || sizeMicros === null || priceTicks >= TICKS_PER_USD) return null;
    ladder.set(priceTicks, sizeMicros);
  }
  return levelTexts(ladder).map(([price, size]) => `${price} ${size}`);
}
