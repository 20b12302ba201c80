import type { Level } from '#domain/book/book';
import type { Side } from '#domain/market';

/**
 * Both sides of one book in the venue's order: bids ascend, asks descend, the best level is the
 * last. Linear inserts are enough here: a simulated side has at most a few hundred levels.
 */
export class Ladder {
  bids: Level[] = [];
  asks: Level[] = [];

  /** Returns the levels of a side, best last. BUY is the bid side. */
  side(side: Side): readonly Level[] {
    return side === 'BUY' ? this.bids : this.asks;
  }

  best(side: Side): Level | undefined {
    return this.side(side).at(-1);
  }

  sizeAt(side: Side, priceTicks: number): number {
    return this.side(side).find((level) => level.priceTicks === priceTicks)?.sizeMicros ?? 0;
  }

  /**
   * Gives a level a new absolute size; 0 removes it. Removing a level that is not there does
   * nothing.
   */
  set(side: Side, priceTicks: number, sizeMicros: number): void {
    const levels = side === 'BUY' ? this.bids : this.asks;
    const worse = (level: Level) => (side === 'BUY' ? level.priceTicks < priceTicks : level.priceTicks > priceTicks);
    let at = levels.length;
    while (at > 0 && !worse(levels[at - 1] as Level)) at--;
    const exists = levels[at]?.priceTicks === priceTicks;
    if (sizeMicros === 0) levels.splice(at, exists ? 1 : 0);
    else levels.splice(at, exists ? 1 : 0, { priceTicks, sizeMicros });
  }

  /** Replaces everything; the levels may come in any order. */
  replace(bids: readonly Level[], asks: readonly Level[]): void {
    this.bids = bids.filter((level) => level.sizeMicros > 0).sort((a, b) => a.priceTicks - b.priceTicks);
    this.asks = asks.filter((level) => level.sizeMicros > 0).sort((a, b) => b.priceTicks - a.priceTicks);
  }
}
