import type { Side } from '#domain/market';
import type { MirrorBook } from './mirror-book.js';

/** Shares that changed hands at one level of the first outcome's book. */
export interface Fill {
  readonly priceTicks: number;
  readonly sizeMicros: number;
}

/** A market order: which side of the first outcome's book it eats (SELL: the asks) and how much. */
export interface TakerOrder {
  readonly eats: Side;
  readonly sizeMicros: number;
  /** A simulated order never empties the book: it stops after so many levels. */
  readonly levelsMax: number;
  /**
   * Where the last level it met is gone and some of the order is left, the rest stays there as an
   * order of its own.
   */
  readonly restRemains: boolean;
}

/**
 * Matches the order against the book, best level first, and returns what it got. One level always
 * stays.
 */
export function matchTaker(book: MirrorBook, order: TakerOrder): Fill[] {
  const { ladder } = book;
  const fills: Fill[] = [];
  let left = order.sizeMicros;
  while (left > 0 && fills.length < order.levelsMax && ladder.side(order.eats).length > 1) {
    const level = ladder.best(order.eats);
    if (level === undefined) break;
    const eaten = Math.min(left, level.sizeMicros);
    ladder.set(order.eats, level.priceTicks, level.sizeMicros - eaten);
    fills.push({ priceTicks: level.priceTicks, sizeMicros: eaten });
    left -= eaten;
  }
  if (order.restRemains) leaveRest(book, order, fills, left);
  return fills;
}

function leaveRest(book: MirrorBook, order: TakerOrder, fills: readonly Fill[], leftMicros: number): void {
  const last = fills.at(-1);
  if (last === undefined || leftMicros <= 0) return;
  if (book.ladder.sizeAt(order.eats, last.priceTicks) > 0) return;
  book.ladder.set(order.eats === 'SELL' ? 'BUY' : 'SELL', last.priceTicks, leftMicros);
}
