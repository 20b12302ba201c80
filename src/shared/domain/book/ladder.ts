import { divideRounded, divideSafe, NOTIONAL_PER_CENT } from '../money.js';
import type { CrossedBook, Level } from './book.js';

/**
 * So many of the best levels are looked through one by one, because most changes are among them.
 */
const NEAR = 8;

/**
 * One side of a book in one array: the price of each level in integer 1e-4 USD ticks and behind it
 * its size in integer micro-shares, worst price first and best last. Bids ascend and asks descend,
 * which is also the venue's own order. The best is O(1), and most changes happen near it, so that
 * they look at few elements and move few, which lie side by side in memory. 40 levels a side take
 * 1.7 kB, against 5 to 6 kB in maps.
 */
export class Ladder {
  readonly #levels: number[] = [];
  /** +1 if prices ascend towards the best (bids), -1 if they descend (asks). */
  readonly #sign: 1 | -1;
  /**
   * Sum of price x size in notional units, which every change adds to; NaN: it was not a safe
   * integer.
   */
  #notional = 0;
  /** The same in cents; -1: to be reckoned anew. */
  #depthCents = 0;

  constructor(readonly kind: 'bids' | 'asks') {
    this.#sign = kind === 'bids' ? 1 : -1;
  }

  get length(): number {
    return this.#levels.length / 2;
  }

  /** Best price in ticks, or null if the side is empty. */
  get bestTicks(): number | null {
    return this.#levels.length === 0 ? null : this.ticksAt(0);
  }

  /**
   * Price of the level that is `depth` places behind the best (0 = best). The caller keeps depth <
   * length.
   */
  ticksAt(depth: number): number {
    return this.#levels[this.#levels.length - 2 - 2 * depth]!;
  }

  /** Size of the level that is `depth` places behind the best, in micro-shares. */
  sizeAt(depth: number): number {
    return this.#levels[this.#levels.length - 1 - 2 * depth]!;
  }

  /**
   * Gives a level a new absolute size; 0 removes it. Removing a level that is not there changes
   * nothing: the venue does that now and then. Returns whether the ladder changed.
   */
  set(priceTicks: number, sizeMicros: number): boolean {
    const levels = this.#levels;
    const at = this.#lowerBound(priceTicks);
    const existing = at < levels.length && levels[at] === priceTicks ? levels[at + 1]! : 0;
    if (existing === sizeMicros) return false;
    if (sizeMicros === 0) removeAt(levels, at);
    else if (existing !== 0) levels[at + 1] = sizeMicros;
    else insertAt(levels, at, priceTicks, sizeMicros);
    this.#notional = safeOrNaN(this.#notional - priceTicks * existing + priceTicks * sizeMicros);
    this.#depthCents = -1;
    return true;
  }

  /**
   * Replaces every level. The order on the wire is not trusted; of a price named twice the last
   * size counts.
   */
  replace(levels: readonly Level[]): void {
    this.#levels.length = 0;
    this.#notional = 0;
    this.#depthCents = 0;
    for (const { priceTicks, sizeMicros } of levels) this.set(priceTicks, sizeMicros);
  }

  /** Whether `replace` with these levels would change nothing. */
  holds(received: readonly Level[]): boolean {
    if (this.#isWritten(received)) return true;
    const theirs = new Ladder(this.kind);
    theirs.replace(received);
    return theirs.#levels.length === this.#levels.length && theirs.#levels.every((n, at) => n === this.#levels[at]);
  }

  /** Whether these are its levels in its own order, which is the venue's. */
  #isWritten(received: readonly Level[]): boolean {
    const levels = this.#levels;
    if (levels.length !== 2 * received.length) return false;
    for (let at = 0; at < received.length; at++) {
      const { priceTicks, sizeMicros } = received[at]!;
      if (levels[2 * at] !== priceTicks || levels[2 * at + 1] !== sizeMicros) return false;
    }
    return true;
  }

  /**
   * Sum of price x size over all levels in cents, rounded half up. Reckoned once per change, when
   * it is asked for.
   */
  get depthCents(): number {
    if (this.#depthCents === -1) this.#depthCents = this.#reckonCents();
    return this.#depthCents;
  }

  #reckonCents(): number {
    if (this.#notional <= Number.MAX_SAFE_INTEGER) return divideSafe(this.#notional, NOTIONAL_PER_CENT);
    let sum = 0n;
    for (const { priceTicks, sizeMicros } of this.levels()) sum += BigInt(priceTicks) * BigInt(sizeMicros);
    if (sum <= Number.MAX_SAFE_INTEGER) this.#notional = Number(sum);
    return Number(divideRounded(sum, BigInt(NOTIONAL_PER_CENT)));
  }

  /** The levels, worst price first: the order in which the venue writes and hashes them. */
  *levels(): IterableIterator<Level> {
    for (let depth = this.length - 1; depth >= 0; depth--) {
      yield { priceTicks: this.ticksAt(depth), sizeMicros: this.sizeAt(depth) };
    }
  }

  /** Where the first price stands that is not worse than this one, or the end. */
  #lowerBound(priceTicks: number): number {
    const levels = this.#levels;
    const sign = this.#sign;
    const near = Math.max(0, levels.length - 2 * NEAR);
    let at = levels.length;
    while (at > near && (levels[at - 2]! - priceTicks) * sign >= 0) at -= 2;
    return at > near ? at : this.#lowerBoundBefore(near, priceTicks);
  }

  #lowerBoundBefore(end: number, priceTicks: number): number {
    let low = 0;
    let high = end / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#levels[2 * middle]! - priceTicks) * this.#sign < 0) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }
}

/**
 * A sum of what is not below zero: no part is above the whole, so if that is a safe integer,
 * nothing was rounded.
 */
function safeOrNaN(sum: number): number {
  return sum <= Number.MAX_SAFE_INTEGER ? sum : Number.NaN;
}

/** Few elements are moved; to splice them takes longer than the whole rest of a change. */
function insertAt(levels: number[], at: number, priceTicks: number, sizeMicros: number): void {
  levels.push(priceTicks, sizeMicros);
  for (let i = levels.length - 1; i > at + 1; i--) levels[i] = levels[i - 2]!;
  levels[at] = priceTicks;
  levels[at + 1] = sizeMicros;
}

function removeAt(levels: number[], at: number): void {
  for (let i = at; i < levels.length - 2; i++) levels[i] = levels[i + 2]!;
  levels.pop();
  levels.pop();
}

/** Returns the best prices of a book whose sides meet or overlap; null if they do not. */
export function crossedBook({ bestTicks: bid }: Ladder, { bestTicks: ask }: Ladder): CrossedBook | null {
  return bid !== null && ask !== null && bid >= ask ? { bestBid: bid / 1e4, bestAsk: ask / 1e4 } : null;
}
