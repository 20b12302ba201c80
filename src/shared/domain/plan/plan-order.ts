import type { Ladder } from '../book/ladder.js';
import { tickSizeTicks } from '../book/tick-sizes.js';
import type { Side } from '../market.js';
import { planBuy } from './plan-buy.js';
import { planSell } from './plan-sell.js';
import { none, type Planned } from './planned.js';
import { reachOfUsd } from './reach.js';

/** An order as asked, and the book that it would meet. */
export interface OrderToPlan {
  readonly side: Side;
  readonly usdMicros: number;
  readonly book: { readonly bids: Ladder; readonly asks: Ladder };
  /** As the venue wrote it with this book. */
  readonly tickSize: string | null;
  /** How far from the best price a BUY may name its own, in cents per share. */
  readonly capCents: number;
}

/** A plan, and how far the order as asked reaches: null if the book does not fill it. */
export interface OrderPlan {
  readonly planned: Planned;
  readonly worstTicks: number | null;
}

/**
 * Plans an order that takes (FOK): amounts that the venue accepts, in integers alone. Pure: the same
 * order on the same book always has the same plan.
 */
export function planOrder({ side, usdMicros, book, tickSize, capCents }: OrderToPlan): OrderPlan {
  const reach = reachOfUsd(side === 'BUY' ? book.asks : book.bids, usdMicros);
  const worstTicks = reach?.worstTicks ?? null;
  const tickTicks = tickSizeTicks(tickSize);
  if (tickTicks === null) return { worstTicks, planned: none('unknown_tick') };
  if (side === 'BUY') return { worstTicks, planned: planBuy(book.asks, usdMicros, tickTicks, capCents) };
  if (reach === null) return { worstTicks, planned: none('thin_book') };
  if (reach.sharesMicros === 0n) return { worstTicks, planned: none('below_one_step') };
  return { worstTicks, planned: planSell(book.bids, reach.sharesMicros, tickTicks) };
}
