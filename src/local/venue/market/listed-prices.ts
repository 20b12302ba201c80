import type { BookView } from './book-view.js';
import { ONE_USD_TICKS } from './book-view.js';
import type { LiveMarket } from './live-market.js';

/**
 * Gamma answers are cached for so long (cache-control: max-age=300), so its prices are never the
 * live ones.
 */
const GAMMA_CACHE_MS = 300_000;
/** Above this spread Gamma shows the last trade in place of the middle. */
const WIDE_SPREAD_TICKS = 1_000;

/**
 * Prices of a market as Gamma gives them: numbers, of the first outcome, up to five minutes old.
 */
export interface ListedPrices {
  /** null on an empty side: Gamma leaves bestBid out and says 1 for bestAsk. */
  readonly bestBid: number | null;
  readonly bestAsk: number;
  readonly spread: number;
  readonly lastTradePrice: number | null;
  /** Of both outcomes, as decimal strings. */
  readonly outcomePrices: readonly [string, string];
}

/** Keeps each market's prices as they were when Gamma last looked. */
export class ListedPriceCache {
  readonly #cached = new Map<string, { readonly atMs: number; readonly prices: ListedPrices }>();

  pricesOf(market: LiveMarket, nowMs: number): ListedPrices {
    const { slug } = market.spec;
    const cached = this.#cached.get(slug);
    if (cached !== undefined && nowMs - cached.atMs < GAMMA_CACHE_MS) return cached.prices;
    const prices = listedPrices(market.view(0));
    this.#cached.set(slug, { atMs: nowMs, prices });
    return prices;
  }

  forget(slug: string): void {
    this.#cached.delete(slug);
  }
}

function listedPrices(view: BookView): ListedPrices {
  const bid = view.bidsAscending.at(-1)?.priceTicks;
  const ask = view.asksDescending.at(-1)?.priceTicks;
  const last = view.lastTradePrice === '' ? null : Number(view.lastTradePrice);
  const spreadTicks = (ask ?? ONE_USD_TICKS) - (bid ?? 0);
  const middle = ((ask ?? ONE_USD_TICKS) + (bid ?? 0)) / 2 / ONE_USD_TICKS;
  const shown = spreadTicks > WIDE_SPREAD_TICKS && last !== null ? last : middle;
  return {
    bestBid: bid === undefined ? null : bid / ONE_USD_TICKS,
    bestAsk: (ask ?? ONE_USD_TICKS) / ONE_USD_TICKS,
    spread: spreadTicks / ONE_USD_TICKS,
    lastTradePrice: last,
    outcomePrices: [decimalText(shown), decimalText(1 - shown)],
  };
}

function decimalText(price: number): string {
  return String(Number(price.toFixed(5)));
}
