import type { Level } from '#domain/book/book';
import type { HashableBook } from '#domain/book/hashed-text';
import { formatScaled } from '#domain/decimal';
import { bookHash } from '#wire/polymarket/book-hash';

/** One USD in price ticks: the price of a token and that of its complement add up to it. */
export const ONE_USD_TICKS = 10_000;

/**
 * A whole book of one token as REST and the market channel show it at this moment. Best levels are
 * last.
 */
export interface BookView extends HashableBook {
  readonly bidsAscending: readonly Level[];
  readonly asksDescending: readonly Level[];
  readonly minOrderSize: string;
  readonly tickSize: string;
  readonly negRisk: boolean;
  /**
   * Empty before the first trade. In prices of the first outcome, on the books of both outcomes.
   */
  readonly lastTradePrice: string;
}

/** Returns a price step in ticks. Every step of the venue divides one USD. */
export function stepTicksOf(tickSize: string): number {
  return Math.round(Number(tickSize) * ONE_USD_TICKS);
}

/** The fields of a book beside its levels. */
export type BookFields = Omit<BookView, 'bidsAscending' | 'asksDescending'>;

/** The least size the venue takes, in shares; 5 on every market of 2026. */
export const MIN_ORDER_SIZE = '5';

/** Returns the venue's hash of a book. */
export function hashOf(view: BookView): string {
  const hash = bookHash(view);
  if (hash === null) throw new Error('a simulated book knows every field that the hash covers');
  return hash;
}

/**
 * Returns the side of the complementary token that this side is: the same orders, seen from the
 * other outcome.
 */
export function mirrored(levels: readonly Level[]): Level[] {
  return levels.map((level) => ({ ...level, priceTicks: ONE_USD_TICKS - level.priceTicks }));
}

/** Returns the best bid as the venue writes it: "0" on an empty side. */
export function bestBidText(view: Pick<BookView, 'bidsAscending'>): string {
  return priceText(view.bidsAscending.at(-1)?.priceTicks ?? 0);
}

/** Returns the best ask as the venue writes it: "1" on an empty side. */
export function bestAskText(view: Pick<BookView, 'asksDescending'>): string {
  return priceText(view.asksDescending.at(-1)?.priceTicks ?? ONE_USD_TICKS);
}

/** Returns a price in the shortest form, which is how the venue writes levels. */
export function priceText(ticks: number): string {
  return formatScaled(ticks, 4);
}

/** Returns a size in the shortest form. */
export function sizeText(micros: number): string {
  return formatScaled(micros, 6);
}

/**
 * Returns a trade price with at least three decimals: real books say "0.490", unlike their levels.
 */
export function tradePriceText(ticks: number): string {
  return (ticks / ONE_USD_TICKS).toFixed(ticks % 10 === 0 ? 3 : 4);
}

/**
 * How a book can be made to lie: `ghost` shows 0.01 / 0.99 and nothing between, `crossed` a bid
 * above the best ask.
 */
export type BookLie = 'ghost' | 'crossed';

/**
 * Returns the book with the lie in it. Its hash agrees with what it shows, so that only the prices
 * give it away.
 */
export function distorted(view: BookView, lie: BookLie): BookView {
  if (lie === 'ghost') {
    const level = (priceTicks: number): Level => ({ priceTicks, sizeMicros: 1_000_000_000 });
    return { ...view, bidsAscending: [level(100)], asksDescending: [level(9900)] };
  }
  const step = stepTicksOf(view.tickSize);
  const ask = view.asksDescending.at(-1)?.priceTicks ?? ONE_USD_TICKS - 2 * step;
  const bid = { priceTicks: Math.min(ask + step, ONE_USD_TICKS - step), sizeMicros: 100_000_000 };
  const asks = view.asksDescending.length > 0 ? view.asksDescending : [{ priceTicks: ask, sizeMicros: 100_000_000 }];
  const below = view.bidsAscending.filter((level) => level.priceTicks < bid.priceTicks);
  return { ...view, bidsAscending: [...below, bid], asksDescending: asks };
}
