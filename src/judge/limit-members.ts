import type { OrderLimit } from '#api/order-limit';
import { tickSizeTicks } from '#domain/book/tick-sizes';
import { formatScaled, formatUnits } from '#domain/decimal';
import type { Market } from '#domain/market';
import { toMicros } from '#domain/money';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { GTD_SECONDS_MIN, type PlannedLimit, planLimit } from '#domain/plan/limit-order';

const NOTE =
  'A resting order pays no fee and may earn the maker rebate of its market. It fills when others take it, which no book ' +
  'foretells, and those before it in the queue are filled first.';
const CROSSING_NOTE =
  'It takes at once what has its price or a better one, and pays the taker fee of that on top of its amount. What is left of it rests. ';
const GAME_NOTE = ' The venue cancels resting orders of a game when it starts.';

/** What a resting order is asked for with, beside the question. */
export interface LimitContext {
  /** A multiple of 1e-4 USD. */
  readonly price: number;
  readonly postOnly: boolean;
  /** As the venue wrote it with the book. */
  readonly tickSize: string | null;
}

/** Returns what `limit_price` adds to an answer (docs/interface.md, "Limit"). Pure. */
export function toLimitMembers(
  { side, usd, book, market }: OrderQuestion & { readonly market: Pick<Market, 'matchingDelayS'> },
  { price, postOnly, tickSize }: LimitContext,
): { readonly limit: OrderLimit } {
  const tickTicks = tickSizeTicks(tickSize);
  const priceTicks = Math.round(price * 1e4);
  const { minOrderShares, matchingDelayS, gameDueMs = null } = market;
  const planned = planLimit({
    ...{ side, usdMicros: toMicros(usd), priceTicks, postOnly, book, tickTicks, minOrderShares },
  });
  return {
    limit: {
      side,
      price: formatScaled(priceTicks, 4),
      post_only: postOnly,
      crosses: planned.crosses,
      post_only_refused: postOnly && planned.crosses,
      queue_ahead: {
        better_shares: formatUnits(planned.better.sharesMicros, 6),
        better_usd: formatUnits(planned.better.usdMicros, 6),
        same_price_shares: formatUnits(planned.samePrice.sharesMicros, 6),
        same_price_usd: formatUnits(planned.samePrice.usdMicros, 6),
      },
      distance_to_touch_cents: planned.behindTicks === null ? null : planned.behindTicks / 100,
      tick_size: tickTicks === null ? null : formatScaled(tickTicks, 4),
      min_shares: minOrderShares,
      maker_fee_usd: '0',
      matching_delay_seconds: matchingDelayS,
      game_due_at: gameDueMs === null ? null : new Date(gameDueMs).toISOString(),
      note: `${planned.crosses && !postOnly ? CROSSING_NOTE : ''}${NOTE}${gameDueMs === null ? '' : GAME_NOTE}`,
      ...toOrder(planned.order),
    },
  };
}

function toOrder(order: PlannedLimit['order']): Pick<OrderLimit, 'order' | 'order_reason'> {
  if (typeof order === 'string') return { order: null, order_reason: order };
  return {
    order: {
      order_types: ['GTC', 'GTD'],
      maker_amount: String(order.makerMicros),
      taker_amount: String(order.takerMicros),
      shares: formatUnits(order.sharesMicros, 6),
      usd: formatUnits(order.usdMicros, 6),
      gtd_seconds_min: GTD_SECONDS_MIN,
    },
  };
}
