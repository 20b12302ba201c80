import type { Clock } from '#system/clock';
import { ONE_USD_TICKS } from '../market/book-view.js';
import { amountOf } from '../market/deterministic-ids.js';
import type { MarketBooks, MarketIds } from '../market/live-market.js';
import { MirrorBook } from '../market/mirror-book.js';
import { type PlannedMarket, plannedPrice } from './planned-market.js';

const LEVELS = 8;
const STEP_TICKS = 100;

/**
 * The books of a planned market: a few levels around the price of its path at this moment, in whole
 * cents.
 */
export function plannedBooks(market: PlannedMarket, ids: MarketIds, clock: Clock): MarketBooks {
  let at: { readonly price: number; readonly book: MirrorBook } | null = null;
  return {
    view(outcome) {
      const nowMs = clock.nowMs();
      const price = plannedPrice(market, 0, nowMs / 1_000);
      if (at?.price !== price) at = { price, book: bookAround(market, ids, price, nowMs) };
      return at.book.view(outcome);
    },
  };
}

function bookAround({ spec, event }: PlannedMarket, ids: MarketIds, price: number, nowMs: number): MirrorBook {
  const book = new MirrorBook(ids, event.negRisk, '0.01', nowMs);
  const middle = Math.round((price * ONE_USD_TICKS) / STEP_TICKS) * STEP_TICKS;
  for (let level = 0; level < LEVELS; level++) {
    const size = Math.round(amountOf(`${spec.slug}:${level}`, 50, 2_000) * 1e6);
    const [bid, ask] = [middle - level * STEP_TICKS - STEP_TICKS, middle + level * STEP_TICKS];
    if (bid > 0) book.ladder.set('BUY', bid, size);
    if (ask > 0 && ask < ONE_USD_TICKS) book.ladder.set('SELL', ask, size);
  }
  return book;
}
