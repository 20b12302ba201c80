import type { Level } from '#domain/book/book';
import { Ladder } from '#domain/book/ladder';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import type { MarketStatus } from '#domain/market';

/** What evidence and the demo lane tell of a market, as the engine takes it. */
interface ReportedStatus {
  readonly active: MarketStatus['active'];
  readonly closed: MarketStatus['closed'];
  readonly accepting_orders: MarketStatus['acceptingOrders'];
  readonly order_book_enabled: MarketStatus['orderBookEnabled'];
  readonly uma_resolution_status: MarketStatus['umaResolutionStatus'];
}

export function marketStatusOf(received: ReportedStatus): MarketStatus {
  return {
    active: received.active,
    closed: received.closed,
    acceptingOrders: received.accepting_orders,
    orderBookEnabled: received.order_book_enabled,
    umaResolutionStatus: received.uma_resolution_status,
  };
}

/** Returns the milliseconds of a moment, or null. */
export function momentMsOf(moment: string | null | undefined): number | null {
  return moment === null || moment === undefined ? null : Date.parse(moment);
}

/**
 * Returns one side of a book from its levels, price and size as texts. Throws a TypeError if one is
 * none.
 */
export function ladderOf(kind: 'bids' | 'asks', levels: readonly (readonly [string, string])[]): Ladder {
  const ladder = new Ladder(kind);
  ladder.replace(levels.map(levelOf));
  return ladder;
}

function levelOf([price, size]: readonly [string, string]): Level {
  const priceTicks = parsePriceTicks(price);
  const sizeMicros = parseSizeMicros(size);
  if (priceTicks === null || sizeMicros === null) throw new TypeError('a level is not a price and a size');
  return { priceTicks, sizeMicros };
}
