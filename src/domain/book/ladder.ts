import { divideRounded, divideSafe, NOTIONAL_PER_CENT } from '../money.js';
import type { CrossedBook, Level } from './book.js';

/**
 * One side of a book: two parallel arrays, integer 1e-4 USD ticks and integer micro-shares, worst
 * price first and best last. Bids ascend and asks descend, which is also the venue's own order.
 * Finding a price is a binary search; the best is O(1), and most changes happen near it, so that an
 * insertion moves few elements.
 */
export class Ladder {
  readonly #ticks: number[] = [];
  readonly #sizes: number[] = [];
  /** +1 if prices ascend towards the best (bids), -1 if they descend (asks). */
  readonly #sign: 1 | -1;
  /** -1: to be summed anew. */
  #depthCents = 0;

  constructor(readonly kind: 'bids' | 'asks') {
    this.#sign = kind === 'bids' ? 1 : -1;
  }

  get length(): number {
    return this.#ticks.length;
  }

  /** Best price in ticks, or null if the side is empty. */
  get bestTicks(): number | null {
    return this.#ticks.at(-1) ?? null;
  }

  /**
   * Price of the level that is `depth` places behind the best (0 = best). The caller keeps depth <
   * length.
   */
  ticksAt(depth: number): number {
    return this.#ticks[this.#ticks.length - 1 - depth]!;
  }

  /** Size of the level that is `depth` places behind the best, in micro-shares. */
  sizeAt(depth: number): number {
    return this.#sizes[this.#sizes.length - 1 - depth]!;
  }

  /**
   * Gives a level a new absolute size; 0 removes it. Removing a level that is not there changes
   * nothing: the venue does that now and then. Returns whether the ladder changed.
   */
  set(priceTicks: number, sizeMicros: number): boolean {
    const at = this.#lowerBound(priceTicks);
    const found = this.#ticks[at] === priceTicks;
    if (sizeMicros === 0) {
      if (!found) return false;
      this.#ticks.splice(at, 1);
      this.#sizes.splice(at, 1);
    } else if (found) {
      if (this.#sizes[at] === sizeMicros) return false;
      this.#sizes[at] = sizeMicros;
    } else {
      this.#ticks.splice(at, 0, priceTicks);
      this.#sizes.splice(at, 0, sizeMicros);
    }
    this.#depthCents = -1;
    return true;
  }

  /**
   * Replaces every level. The order on the wire is not trusted; of a price named twice the last
   * size counts.
   */
  replace(levels: readonly Level[]): void {
    this.#ticks.length = 0;
    this.#sizes.length = 0;
    for (const { priceTicks, sizeMicros } of levels) this.set(priceTicks, sizeMicros);
    this.#depthCents = -1;
  }

  /**
   * Sum of price x size over all levels in cents, rounded half up. Computed once per change, when it is
   * asked for.
   */
  get depthCents(): number {
    if (this.#depthCents === -1) this.#depthCents = this.#sumCents();
    return this.#depthCents;
  }

  /** No part of a sum is above the whole: if that is a safe integer, nothing was rounded. */
  #sumCents(): number {
    let sum = 0;
    for (let i = 0; i < this.#ticks.length; i++) sum += this.#ticks[i]! * this.#sizes[i]!;
    return sum <= Number.MAX_SAFE_INTEGER ? divideSafe(sum, NOTIONAL_PER_CENT) : this.#sumLargeCents();
  }

  #sumLargeCents(): number {
    let sum = 0n;
    for (let i = 0; i < this.#ticks.length; i++) sum += BigInt(this.#ticks[i]!) * BigInt(this.#sizes[i]!);
    return Number(divideRounded(sum, BigInt(NOTIONAL_PER_CENT)));
  }

  /** The levels, worst price first: the order in which the venue writes and hashes them. */
  *levels(): IterableIterator<Level> {
    for (let i = 0; i < this.#ticks.length; i++) yield { priceTicks: this.#ticks[i]!, sizeMicros: this.#sizes[i]! };
  }

  /** Index of the first element that is not worse than the price. */
  #lowerBound(priceTicks: number): number {
    const wanted = priceTicks * this.#sign;
    let low = 0;
    let high = this.#ticks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ticks[middle]! * this.#sign < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the best prices of a book whose sides meet or overlap; null if they do not. */
export function crossedBook({ bestTicks: bid }: Ladder, { bestTicks: ask }: Ladder): CrossedBook | null {
  return bid !== null && ask !== null && bid >= ask ? { bestBid: bid / 1e4, bestAsk: ask / 1e4 } : null;
}
