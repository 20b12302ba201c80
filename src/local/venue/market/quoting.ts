import type { Side } from '#domain/market';
import type { Random } from '#system/random';
import { ONE_USD_TICKS } from './book-view.js';
import { clampToGrid, isPrice, sizeMicrosFor } from './first-book.js';
import type { BookShape } from './market-spec.js';
import type { MirrorBook } from './mirror-book.js';
import { between, chance, gaussian } from './seeded-random.js';

/** One level of the first outcome's book gets a new absolute size; 0 removes it. */
export interface LevelSet {
  readonly side: Side;
  readonly priceTicks: number;
  readonly sizeMicros: number;
}

/**
 * What happens next in a simulated market. `levels` is one action of the venue, even if it touches
 * several levels.
 */
export type MarketAction =
  | { readonly kind: 'levels'; readonly changes: readonly LevelSet[] }
  | { readonly kind: 'tick_size'; readonly tickSize: '0.001' }
  | { readonly kind: 'trade' };

/** The venue refines the price step above 0.96 and below 0.04. */
const FINE_ABOVE_TICKS = 9600;
const FINE_BELOW_TICKS = 400;
const TRADE_SHARE = 0.05;
/**
 * How often the market maker looks whether its quotes are still right; at once where the spread has
 * become wide.
 */
const REQUOTE_SHARE = 0.5;
/** How strongly the price is drawn back to its anchor with every change. */
const HOMING = 0.004;
/** The farthest a market maker moves its quotes in one action. */
const MOVE_LEVELS_MAX = 3;

/** A market maker of one market: holds an opinion of the price and says what happens next. */
export class Quoting {
  readonly #random: Random;
  /** The opinion. The book follows it, and sharp wallets trade towards it. */
  fairTicks: number;

  constructor(
    readonly book: MirrorBook,
    readonly shape: BookShape,
    random: Random,
  ) {
    this.#random = random;
    this.fairTicks = shape.anchorTicks;
  }

  next(): MarketAction {
    const { book } = this;
    const random = this.#random;
    this.#drift();
    const fine = book.midTicks > FINE_ABOVE_TICKS || book.midTicks < FINE_BELOW_TICKS;
    if (book.tickSize === '0.01' && fine) return { kind: 'tick_size', tickSize: '0.001' };
    if (chance(random, TRADE_SHARE)) return { kind: 'trade' };
    const moved = this.#isWide() || chance(random, REQUOTE_SHARE) ? this.#followFair() : [];
    return { kind: 'levels', changes: moved.length > 0 ? moved : [this.#oneLevel()] };
  }

  #drift(): void {
    const { book, shape } = this;
    const random = this.#random;
    const step = gaussian(random) * shape.restlessness * book.stepTicks;
    const fair = this.fairTicks + step + (shape.anchorTicks - this.fairTicks) * HOMING;
    this.fairTicks = Math.min(Math.max(fair, 2 * book.stepTicks), ONE_USD_TICKS - 2 * book.stepTicks);
  }

  /**
   * Returns the cancels and the new quotes that bring the top of the book to the fair price; empty
   * if it is there.
   */
  #followFair(): LevelSet[] {
    const step = this.book.stepTicks;
    const bid = clampToGrid(this.fairTicks - ((this.shape.spreadSteps - 1) * step) / 2, step);
    const ask = bid + this.shape.spreadSteps * step;
    const tooTight = Math.min(this.shape.spreadSteps, 2) * step;
    const cancels = [
      ...this.#through('BUY', (price) => price >= bid + tooTight),
      ...this.#through('SELL', (price) => price <= ask - tooTight),
    ].slice(0, MOVE_LEVELS_MAX);
    if (cancels.length > 0) return cancels;
    const quotes: LevelSet[] = [];
    if (bid > (this.book.ladder.best('BUY')?.priceTicks ?? 0)) quotes.push(this.#quote('BUY', bid, 0));
    const bestAsk = this.book.ladder.best('SELL')?.priceTicks ?? ONE_USD_TICKS;
    if (this.shape.sides === 'both' && ask < bestAsk) quotes.push(this.#quote('SELL', ask, 0));
    return quotes.filter((quote) => isPrice(quote.priceTicks, step) && this.#restsQuietly(quote));
  }

  #isWide(): boolean {
    const [bid, ask] = [this.book.ladder.best('BUY'), this.book.ladder.best('SELL')];
    if (bid === undefined || ask === undefined) return false;
    return ask.priceTicks - bid.priceTicks > (this.shape.spreadSteps + 1) * this.book.stepTicks;
  }

  #through(side: Side, isThrough: (priceTicks: number) => boolean): LevelSet[] {
    const levels = this.book.ladder.side(side);
    const stale = levels.filter((level) => isThrough(level.priceTicks)).reverse();
    return stale.slice(0, levels.length - 1).map(({ priceTicks }) => ({ side, priceTicks, sizeMicros: 0 }));
  }

  /** One order is placed, changed or taken back somewhere in the book, mostly near the top. */
  #oneLevel(): LevelSet {
    const { shape } = this;
    const random = this.#random;
    const side: Side = shape.sides === 'both' && chance(random, 0.5) ? 'SELL' : 'BUY';
    const levels = this.book.ladder.side(side);
    const [fewest, most] = shape.levels;
    if (levels.length > fewest && (levels.length > most || chance(random, 0.18))) return this.#cancel(side);
    if (levels.length < most && (levels.length <= fewest || chance(random, 0.25))) {
      const added = this.#add(side);
      if (added !== null) return added;
    }
    const depth = Math.floor(random.next() ** 2 * levels.length);
    const level = levels.at(-1 - depth);
    return this.#quote(side, level?.priceTicks ?? clampToGrid(shape.anchorTicks, this.book.stepTicks), depth);
  }

  #cancel(side: Side): LevelSet {
    const levels = this.book.ladder.side(side);
    const depth = between(this.#random, chance(this.#random, 0.1) ? 0 : 1, levels.length - 1);
    return { side, priceTicks: levels.at(-1 - depth)?.priceTicks ?? 0, sizeMicros: 0 };
  }

  /**
   * Returns an order at a free price: first those nearest to the top, where a gap is filled
   * soonest.
   */
  #add(side: Side): LevelSet | null {
    const { book, shape } = this;
    const random = this.#random;
    const outward = side === 'BUY' ? -book.stepTicks : book.stepTicks;
    const top = book.ladder.best(side)?.priceTicks;
    if (top === undefined) return null;
    const skipped = Math.floor(random.next() ** 2 * shape.levels[0]);
    for (let depth = 1 + skipped; depth <= 3 * shape.levels[1]; depth++) {
      const price = top + depth * outward;
      if (!isPrice(price, book.stepTicks)) return null;
      if (book.ladder.sizeAt(side, price) === 0) return this.#quote(side, price, depth);
    }
    return null;
  }

  #quote(side: Side, priceTicks: number, depth: number): LevelSet {
    return { side, priceTicks, sizeMicros: sizeMicrosFor(priceTicks, depth, this.shape, this.#random) };
  }

  /** Whether an order rests: a simulated market maker never crosses the book, trades do that. */
  #restsQuietly({ side, priceTicks }: LevelSet): boolean {
    const { ladder } = this.book;
    if (side === 'BUY') return priceTicks < (ladder.best('SELL')?.priceTicks ?? ONE_USD_TICKS);
    return priceTicks > (ladder.best('BUY')?.priceTicks ?? 0);
  }
}
