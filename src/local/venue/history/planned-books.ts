import type { Clock } from '#system/clock';
import { type BookView, ONE_USD_TICKS } from '../market/book-view.js';
import { amountOf } from '../market/deterministic-ids.js';
import type { MarketBooks, MarketIds } from '../market/live-market.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import { MirrorBook } from '../market/mirror-book.js';
import { type PlannedMarket, plannedPrice } from './planned-market.js';

const LEVELS = 8;
const STEP_TICKS = 100;

/**
 * The books of a planned market: a few levels around the price of its path at this moment, in whole
 * cents.
 */
export class PlannedBooks implements MarketBooks {
  readonly #market: PlannedMarket;
  readonly #ids: MarketIds;
  readonly #clock: Clock;
  #at: { readonly price: number; readonly book: MirrorBook } | null = null;

  constructor(market: PlannedMarket, ids: MarketIds, clock: Clock) {
    this.#market = market;
    this.#ids = ids;
    this.#clock = clock;
  }

  view(outcome: OutcomeIndex): BookView {
    const nowMs = this.#clock.nowMs();
    const price = plannedPrice(this.#market, 0, nowMs / 1_000);
    if (this.#at?.price !== price) this.#at = { price, book: this.#bookAround(price, nowMs) };
    return this.#at.book.view(outcome);
  }

  #bookAround(price: number, nowMs: number): MirrorBook {
    const book = new MirrorBook(this.#ids, this.#market.event.negRisk, '0.01', nowMs);
    const middle = Math.round((price * ONE_USD_TICKS) / STEP_TICKS) * STEP_TICKS;
    for (let level = 0; level < LEVELS; level++) {
      const size = Math.round(amountOf(`${this.#market.spec.slug}:${level}`, 50, 2_000) * 1e6);
      const [bid, ask] = [middle - level * STEP_TICKS - STEP_TICKS, middle + level * STEP_TICKS];
      if (bid > 0) book.ladder.set('BUY', bid, size);
      if (ask > 0 && ask < ONE_USD_TICKS) book.ladder.set('SELL', ask, size);
    }
    return book;
  }
}
