import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';
import type { LiveEvent } from '../market/venue-state.js';
import { liveEvent } from '../market/venue-state.js';
import type { RecordedMarket, Recording } from './form.js';
import { ReplayBooks } from './replay-books.js';

/** The markets of a recording as the venue lists them, and their books by condition id. */
export interface ReplayListing {
  readonly events: readonly LiveEvent[];
  readonly booksByCondition: ReadonlyMap<string, ReplayBooks>;
}

/**
 * Returns an event for each recorded market. What a recording does not hold (fees, delay) is that
 * of its kind today.
 */
export function listRecording(recording: Recording, atMs: number): ReplayListing {
  const booksByCondition = new Map<string, ReplayBooks>();
  const events = recording.markets.map((market) => {
    const books = new ReplayBooks(market.ids);
    booksByCondition.set(market.ids.conditionId, books);
    return liveEvent(eventOf(market, recording.name), atMs, () => ({ ids: market.ids, books }));
  });
  return { events, booksByCondition };
}

function eventOf(market: RecordedMarket, recording: string): EventSpec {
  const sports = /^(mlb|nba|nfl|nhl|epl|cs2|atp|wta)-/.test(market.slug);
  const received = {
    slug: market.slug,
    question: sports ? market.slug.toUpperCase() : `Recorded market ${market.slug}`,
    purpose: `replay of ${recording}`,
    outcomes: market.outcomes,
  };
  if (!sports) return eventOfOne({ ...received, fee: FEES.general }, {}, ['Recording']);
  const terms = { fee: FEES.sports, secondsDelay: 3, sportsMarketType: 'moneyline' };
  return eventOfOne({ ...received, ...terms }, {}, ['Sports', 'Recording']);
}
