import { LiveMarket, type MarketBooks, type MarketIds } from './live-market.js';
import type { EventSpec } from './market-spec.js';

/** An event and its markets, in the order of the listing. */
export interface LiveEvent {
  readonly spec: EventSpec;
  readonly markets: readonly LiveMarket[];
}

/** What the venue lists, by every name it can be asked by. */
export class VenueState {
  private readonly eventsBySlug = new Map<string, LiveEvent>();
  private readonly marketsBySlug = new Map<string, LiveMarket>();
  private readonly marketsByToken = new Map<string, LiveMarket>();
  private readonly marketsByCondition = new Map<string, LiveMarket>();

  list(event: LiveEvent): void {
    this.eventsBySlug.set(event.spec.slug, event);
    for (const market of event.markets) {
      this.marketsBySlug.set(market.spec.slug, market);
      this.marketsByCondition.set(market.ids.conditionId, market);
      for (const token of market.ids.tokenIds) this.marketsByToken.set(token, market);
    }
  }

  unlist(slug: string): void {
    for (const market of this.eventsBySlug.get(slug)?.markets ?? []) {
      this.marketsBySlug.delete(market.spec.slug);
      this.marketsByCondition.delete(market.ids.conditionId);
      for (const token of market.ids.tokenIds) this.marketsByToken.delete(token);
    }
    this.eventsBySlug.delete(slug);
  }

  events(): LiveEvent[] {
    return [...this.eventsBySlug.values()];
  }

  markets(): LiveMarket[] {
    return [...this.marketsBySlug.values()];
  }

  event(slug: string): LiveEvent | undefined {
    return this.eventsBySlug.get(slug);
  }

  market(slug: string): LiveMarket | undefined {
    return this.marketsBySlug.get(slug);
  }

  marketOfToken(tokenId: string): LiveMarket | undefined {
    return this.marketsByToken.get(tokenId);
  }

  marketOfCondition(conditionId: string): LiveMarket | undefined {
    return this.marketsByCondition.get(conditionId);
  }
}

/** Returns the event with a live market for each of its listings; `booksOf` supplies ids and books per market. */
export function liveEvent(
  spec: EventSpec,
  atMs: number,
  booksOf: (slug: string) => { ids: MarketIds; books: MarketBooks },
): LiveEvent {
  const markets = spec.markets.map((market) => {
    const { ids, books } = booksOf(market.slug);
    return new LiveMarket(market, spec, ids, books, atMs);
  });
  return { spec, markets };
}
