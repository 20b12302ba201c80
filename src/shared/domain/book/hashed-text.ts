import { formatScaled } from '../decimal.js';
import type { ConditionId, TokenId } from '../ids.js';
import type { BookHashFields, Level } from './book.js';
import type { Ladder } from './ladder.js';

/** A level as the venue writes it: price and size, each in its shortest decimal form. */
export type LevelText = [price: string, size: string];

/** What the venue's hash covers beside the levels. */
interface HashedFacts extends BookHashFields {
  readonly conditionId: ConditionId;
  readonly tokenId: TokenId;
  readonly timestampMs: number;
}

/**
 * A book in the form whose SHA-1 the venue sends. Bids ascend and asks descend, so that the best is
 * last.
 */
export interface HashableBook extends HashedFacts {
  readonly bidsAscending: Iterable<Level>;
  readonly asksDescending: Iterable<Level>;
}

/** The same with its levels written already, each side by `levelsText`. */
export interface WrittenBook extends HashedFacts {
  readonly bids: string;
  readonly asks: string;
}

/** Returns the levels of one side as the venue writes them, the best last. */
export function levelTexts(side: Pick<Ladder, 'length' | 'ticksAt' | 'sizeAt'>): LevelText[] {
  const texts: LevelText[] = [];
  for (let depth = side.length - 1; depth >= 0; depth--) {
    texts.push([formatScaled(side.ticksAt(depth), 4), formatScaled(side.sizeAt(depth), 6)]);
  }
  return texts;
}

/**
 * Returns the text whose SHA-1 is the venue's book hash: compact JSON with the keys in exactly this
 * order and every number as a string. null if a field that the hash covers was never given.
 * Reproduces all real REST books we hold, so the venue writes prices and sizes in their shortest
 * form; only last_trade_price keeps its zeros and is passed on as it came.
 */
export function hashedText(book: HashableBook): string | null {
  return frame(book, () => [fromLevels(book.bidsAscending), fromLevels(book.asksDescending)]);
}

/** Returns the same of a book whose levels are written already. */
export function hashedTextOf(book: WrittenBook): string | null {
  return frame(book, () => [book.bids, book.asks]);
}

function frame(facts: HashedFacts, sides: () => readonly [bids: string, asks: string]): string | null {
  const around = textsAround(facts);
  if (around === null) return null;
  const [bids, asks] = sides();
  return `${around[0]}${bids}],"asks":[${asks}${around[1]}`;
}

/** Returns what stands before the levels of the bids and behind those of the asks; null as for `hashedText`. */
export function textsAround(facts: HashedFacts): readonly [before: string, after: string] | null {
  const { minOrderSize, tickSize, negRisk, lastTradePrice } = facts;
  if (minOrderSize === null || tickSize === null || negRisk === null || lastTradePrice === null) return null;
  return [
    `{"market":"${facts.conditionId}","asset_id":"${facts.tokenId}","timestamp":"${facts.timestampMs}","hash":"","bids":[`,
    `],"min_order_size":"${minOrderSize}","tick_size":"${tickSize}","neg_risk":${negRisk}` +
      `,"last_trade_price":"${lastTradePrice}"}`,
  ];
}

function fromLevels(side: Iterable<Level>): string {
  let text = '';
  for (const { priceTicks, sizeMicros } of side) {
    text += `${text === '' ? '' : ','}${levelJson(formatScaled(priceTicks, 4), formatScaled(sizeMicros, 6))}`;
  }
  return text;
}

/** Returns one side as the hash covers it, its best level last. */
export function levelsText(side: readonly LevelText[]): string {
  let text = '';
  for (const level of side) text += `${text === '' ? '' : ','}${levelJson(level[0], level[1])}`;
  return text;
}

function levelJson(price: string, size: string): string {
  return `{"price":"${price}","size":"${size}"}`;
}
