import { gammaIdOf } from './deterministic-ids.js';
import { LiveMarket, type MarketBooks, type MarketIds } from './live-market.js';
import type { EventSpec } from './market-spec.js';

/** An event and its markets, in the order of the listing. */
export interface LiveEvent {
  readonly spec: EventSpec;
  readonly markets: readonly LiveMarket[];
}

/**
 * What the venue lists, by every name it can be asked by. `older` is asked for what is not listed
 * here: markets of the past, which are made when they are wanted.
 */
export class VenueState {
  readonly #older: (() => VenueState) | null;
  readonly #eventsBySlug = new Map<string, LiveEvent>();
  readonly #marketsBySlug = new Map<string, LiveMarket>();
  readonly #marketsByToken = new Map<string, LiveMarket>();
  readonly #marketsByCondition = new Map<string, LiveMarket>();

  constructor(older: (() => VenueState) | null = null) {
    this.#older = older;
  }

  /** Lists an event, or more markets of one that is listed. */
  list(event: LiveEvent): void {
    const existing = this.#eventsBySlug.get(event.spec.slug);
    this.#eventsBySlug.set(
      event.spec.slug,
      existing === undefined ? event : { ...event, markets: [...existing.markets, ...event.markets] },
    );
    for (const market of event.markets) {
      this.#marketsBySlug.set(market.spec.slug, market);
      this.#marketsByCondition.set(market.ids.conditionId, market);
      for (const token of market.ids.tokenIds) this.#marketsByToken.set(token, market);
    }
  }

  unlist(slug: string): void {
    for (const market of this.#eventsBySlug.get(slug)?.markets ?? []) {
      this.#marketsBySlug.delete(market.spec.slug);
      this.#marketsByCondition.delete(market.ids.conditionId);
      for (const token of market.ids.tokenIds) this.#marketsByToken.delete(token);
    }
    this.#eventsBySlug.delete(slug);
  }

  events(): LiveEvent[] {
    return [...this.#eventsBySlug.values(), ...(this.#older?.().events() ?? [])];
  }

  markets(): LiveMarket[] {
    return [...this.#marketsBySlug.values(), ...(this.#older?.().markets() ?? [])];
  }

  /** Returns the markets of today: those that are listed here, without the past. */
  marketsOfToday(): LiveMarket[] {
    return [...this.#marketsBySlug.values()];
  }

  event(slug: string): LiveEvent | undefined {
    return this.#eventsBySlug.get(slug) ?? this.#older?.().event(slug);
  }

  market(slug: string): LiveMarket | undefined {
    return this.#marketsBySlug.get(slug) ?? this.#older?.().market(slug);
  }

  /** Returns the markets of the events with these Gamma ids. */
  marketsOfEvents(gammaIds: readonly string[]): LiveMarket[] {
    const wanted = this.events().filter(({ spec }) => gammaIds.includes(gammaIdOf(`event:${spec.slug}`)));
    return wanted.flatMap((event) => event.markets);
  }

  marketOfToken(tokenId: string): LiveMarket | undefined {
    return this.#marketsByToken.get(tokenId) ?? this.#older?.().marketOfToken(tokenId);
  }

  marketOfCondition(conditionId: string): LiveMarket | undefined {
    return this.#marketsByCondition.get(conditionId) ?? this.#older?.().marketOfCondition(conditionId);
  }
}

/**
 * Returns the event with a live market for each of its listings; `booksOf` supplies ids and books
 * per market.
 */
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
