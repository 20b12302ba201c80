import type { Side } from '#domain/market';
import type { Random } from '#system/random';
import { ONE_USD_TICKS } from './book-view.js';
import type { BookShape } from './market-spec.js';
import type { MirrorBook } from './mirror-book.js';
import { between, chance, gaussian } from './seeded-random.js';

/** Levels this close to the top have no gaps between them, as in a book with market makers. */
const SOLID_STEPS = 6;
/** A tenth of the orders come from people, who like round numbers. */
const ROUND_SIZES = [5, 10, 20, 25, 50, 100, 250, 500, 1000] as const;

/**
 * Fills an empty book: both sides (or bids alone) around the anchor, dense at the top and sparse
 * further out.
 */
export function fillFirstBook(book: MirrorBook, shape: BookShape, random: Random): void {
  const step = book.stepTicks;
  const half = (shape.spreadSteps * step) / 2;
  const bid = clampToGrid(shape.anchorTicks - half, step);
  fillSide(book, 'BUY', bid, shape, random);
  if (shape.sides === 'both') fillSide(book, 'SELL', bid + shape.spreadSteps * step, shape, random);
}

function fillSide(book: MirrorBook, side: Side, topTicks: number, shape: BookShape, random: Random): void {
  const outward = side === 'BUY' ? -book.stepTicks : book.stepTicks;
  const wanted = between(random, ...shape.levels);
  let price = topTicks;
  for (let level = 0; level < wanted && isPrice(price, book.stepTicks); level++) {
    book.ladder.set(side, price, sizeMicrosFor(price, level, shape, random));
    price += outward * (level < SOLID_STEPS ? 1 : gapSteps(level, random));
  }
}

function gapSteps(level: number, random: Random): number {
  return chance(random, Math.min(0.6, level / 40)) ? between(random, 2, 3) : 1;
}

/**
 * Returns a resting size for a level: about its share of the side's depth in USD, with the wide
 * spread of sizes that real books have, in hundredths of a share. Cheap levels get many shares, as
 * on the venue.
 */
export function sizeMicrosFor(priceTicks: number, level: number, shape: BookShape, random: Random): number {
  const levels = (shape.levels[0] + shape.levels[1]) / 2;
  const usd = (shape.depthUsd / levels) * Math.exp(gaussian(random) * 0.9 - 0.4) * (level === 0 ? 0.7 : 1);
  const shares = Math.max(5, usd / (priceTicks / ONE_USD_TICKS));
  return chance(random, 0.1) ? roundSize(shares) * 1_000_000 : Math.round(shares * 100) * 10_000;
}

function roundSize(shares: number): number {
  return ROUND_SIZES.findLast((size) => size <= shares) ?? ROUND_SIZES[0];
}

/** Whether a price can be quoted: at least one step away from 0 and from 1. */
export function isPrice(ticks: number, stepTicks: number): boolean {
  return ticks >= stepTicks && ticks <= ONE_USD_TICKS - stepTicks;
}

/** Returns the price on the market's grid at or below `ticks`, inside what can be quoted. */
export function clampToGrid(ticks: number, stepTicks: number): number {
  const onGrid = Math.floor(ticks / stepTicks) * stepTicks;
  return Math.min(Math.max(onGrid, stepTicks), ONE_USD_TICKS - stepTicks);
}
