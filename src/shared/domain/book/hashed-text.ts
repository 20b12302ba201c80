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

/** The same with its levels written already, the best last. */
export interface WrittenBook extends HashedFacts {
  readonly bids: Iterable<LevelText>;
  readonly asks: Iterable<LevelText>;
}

/** Returns the levels of one side as the venue writes them, the best last. */
export function levelTexts(side: Pick<Ladder, 'length' | 'ticksAt' | 'sizeAt'>): LevelText[] {
  const texts: LevelText[] = [];
  for (let depth = side.length - 1; depth >= 0; depth--) {
    texts.push(levelText({ priceTicks: side.ticksAt(depth), sizeMicros: side.sizeAt(depth) }));
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
  const bids = Array.from(book.bidsAscending, levelText);
  return hashedTextOf({ ...book, bids, asks: Array.from(book.asksDescending, levelText) });
}

/** Returns the same of a book whose levels are written already. */
export function hashedTextOf(book: WrittenBook): string | null {
  const around = textsAround(book);
  return around && `${around[0]}${sideText(book.bids)}],"asks":[${sideText(book.asks)}${around[1]}`;
}

/**
 * Returns what stands before the levels of the bids and behind those of the asks; null as for
 * `hashedText`.
 */
export function textsAround(facts: HashedFacts): readonly [before: string, after: string] | null {
  const { minOrderSize, tickSize, negRisk, lastTradePrice } = facts;
  if (minOrderSize === null || tickSize === null || negRisk === null || lastTradePrice === null) return null;
  return [
    `{"market":"${facts.conditionId}","asset_id":"${facts.tokenId}","timestamp":"${facts.timestampMs}","hash":"","bids":[`,
    `],"min_order_size":"${minOrderSize}","tick_size":"${tickSize}","neg_risk":${negRisk}` +
      `,"last_trade_price":"${lastTradePrice}"}`,
  ];
}

function levelText({ priceTicks, sizeMicros }: Level): LevelText {
  return [formatScaled(priceTicks, 4), formatScaled(sizeMicros, 6)];
}

function sideText(side: Iterable<LevelText>): string {
  return Array.from(side, ([price, size]) => `{"price":"${price}","size":"${size}"}`).join(',');
}
