import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { mergeMap, type SchedulerLike, Subject } from 'rxjs';
import { OutsideError, Problem, UnreadableAnswer } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import type { Market, Outcome, VenueEvent } from '#domain/market';
import type { Target } from '#domain/order/pick-outcome';
import type { MarketCatalog } from '#ports/venue';
import { conflate } from '#streams/operators';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { lruOptions } from '../lru-options.js';
import { createLookupCache } from './lookup-cache.js';

/** About 1 kB each; the venue has 36,000 open markets, of which 4,000 see trade worth naming. */
const MARKETS_MAX = 10_000;
const TOKENS_MAX = 40_000;
const EVENTS_MAX = 4_000;
const EVENT_MARKETS_MAX = 20_000;
/** A flag is needed only until the catalog says the same, which takes it five minutes. */
const RESOLVED_MAX = 20_000;
const RETRY_AFTER_S = 5;
/**
 * Markets that are due within this time are asked for together: the venue counts questions, not
 * markets, and one by one each takes 0.4 ms of CPU.
 */
const GATHER_MS = 250;

/** What finds markets. */
export interface Finders {
  findMarket(slug: string): Promise<Market | null>;
  findEvent(slug: string): Promise<VenueEvent | null>;
  findByToken(tokenId: TokenId): Promise<Target | null>;
  /** Has an event that was found asked for anew. */
  forgetEvent(slug: string): void;
}

/** The catalog would have to be asked. */
export class NotAtHand extends Error {}

/**
 * The catalog behind its caches. Finders reject with a Problem `venue_unavailable` where it
 * cannot be asked.
 */
export interface MarketLookup extends Finders {
  /** Finds among what is held and counts, and changes nothing; rejects with NotAtHand beyond that. */
  readonly atHand: Finders;
  /**
   * What the finders would return without asking the catalog; null if they would ask, or find
   * none.
   */
  freshMarket(slug: string): Market | null;
  freshByToken(tokenId: TokenId): Target | null;
  /** What is held of a token, however old, without asking or having it asked for; null: nothing. */
  heldByToken(tokenId: TokenId): Target | null;
  markResolved(conditionId: ConditionId): void;
  isCached(tokenId: TokenId): boolean;
}

export interface MarketLookupOptions {
  readonly catalog: MarketCatalog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly scheduler?: SchedulerLike;
}

/**
 * What a slug names. null stands for "an event, no market": an answer that counts as long as any,
 * where a slug that names nothing at all is soon asked about again.
 */
interface Named {
  readonly market: Market | null;
}

/**
 * What a token means, and how many resolutions were known when it was last compared with them and
 * none was its market's.
 */
interface Compared extends Target {
  comparedWith: number;
}

function newTarget(market: Market, outcome: Outcome): Compared {
  return { market, outcome, comparedWith: -1 };
}

/**
 * Returns a lookup that has seen nothing yet. Markets that are in use are asked for anew before
 * their answers lapse.
 */
export function createMarketLookup({ catalog, clock, timers, scheduler }: MarketLookupOptions): MarketLookup {
  const due$ = new Subject<readonly TokenId[]>();
  const resolved = new LRUCache<ConditionId, true>(lruOptions(RESOLVED_MAX));
  /**
   * So many markets were said to be resolved: what was compared with them all need not be compared
   * again.
   */
  let resolutions = 0;
  const tokens = createLookupCache<TokenId, Compared>({
    async fetch(tokenId) {
      const found = await catalog.fetchMarketByToken(tokenId);
      const market = found && asHeld(found);
      const outcome = market?.outcomes.find((one) => one.tokenId === tokenId);
      return market && outcome ? newTarget(market, outcome) : null;
    },
    stopwatch: clock,
    timers,
    entriesMax: TOKENS_MAX,
    onDue: ({ outcome }) => due$.next([outcome.tokenId]),
  });
  const events = createLookupCache<string, VenueEvent>({
    fetch: async (slug) => {
      const event = await catalog.fetchEventBySlug(slug);
      event?.markets.forEach(cacheMarket);
      return event;
    },
    stopwatch: clock,
    timers,
    entriesMax: EVENTS_MAX,
    weightMax: EVENT_MARKETS_MAX,
    weigh: (event) => event.markets.length,
  });
  const names = createLookupCache<string, Named>({
    fetch: async (slug) => {
      const market = cacheMarket(await catalog.fetchMarketBySlug(slug));
      return market !== null || (await events.get(slug)) !== null ? { market } : null;
    },
    stopwatch: clock,
    timers,
    entriesMax: MARKETS_MAX,
    onDue: ({ market }) => due$.next(market === null ? [] : market.outcomes.slice(0, 1).map(({ tokenId }) => tokenId)),
  });
  due$.pipe(conflate(GATHER_MS, scheduler), mergeMap(renewAll, 1)).subscribe();

  async function renewAll(tokenIds: readonly TokenId[]): Promise<void> {
    const requestedAtMs = clock.elapsedMs();
    // What cannot be had so is asked for by the caller who needs it, and hears why not.
    const found = await catalog.fetchMarketsByTokens(tokenIds).catch(() => []);
    for (const market of found.map(asHeld)) {
      for (const outcome of market.outcomes) tokens.renew(outcome.tokenId, newTarget(market, outcome), requestedAtMs);
      names.renew(market.slug, { market }, requestedAtMs);
    }
  }

  /**
   * Returns the market that is held if the newer answer says the same of it: what others keep of
   * that one goes on to hold.
   */
  function asHeld(market: Market): Market {
    const tokenId = market.outcomes[0]?.tokenId;
    const held = tokenId === undefined ? undefined : tokens.peek(tokenId)?.market;
    return isDeepStrictEqual(held, market) ? held! : market;
  }

  /**
   * A market whose fee is not known is not kept by its tokens, so that asking by token can still
   * complete it.
   */
  function cacheMarket(found: Market | null): Market | null {
    const market = found && asHeld(found);
    if (market?.fee.known)
      for (const outcome of market.outcomes) tokens.put(outcome.tokenId, newTarget(market, outcome));
    return market;
  }

  /**
   * The market channel says at once what the catalog, cached at the venue's edge, says minutes
   * later.
   */
  function withResolution(market: Market): Market {
    if (!resolved.has(market.conditionId) || market.status.closed) return market;
    const status = { ...market.status, closed: true, acceptingOrders: false, umaResolutionStatus: 'resolved' };
    return { ...market, status };
  }

  function resolvedTarget(target: Compared): Target {
    if (target.comparedWith === resolutions) return target;
    const market = withResolution(target.market);
    if (market !== target.market) return { ...target, market };
    target.comparedWith = resolutions;
    return target;
  }

  /** The finders over any way of getting an answer. */
  const findersBy = (got: Getters): Omit<Finders, 'forgetEvent'> => ({
    async findMarket(slug) {
      const named = await orUnavailable(inEitherSpelling(got.name, slug));
      return named?.market ? withResolution(named.market) : null;
    },
    async findEvent(slug) {
      const event = await orUnavailable(inEitherSpelling(got.event, slug));
      return event && { ...event, markets: event.markets.map(withResolution) };
    },
    async findByToken(tokenId) {
      const target = await orUnavailable(got.token(tokenId));
      return target && resolvedTarget(target);
    },
  });

  return {
    ...findersBy({ name: names.get, event: events.get, token: tokens.get }),
    atHand: {
      ...findersBy({ name: atHand(names.glance), event: atHand(events.glance), token: atHand(tokens.glance) }),
      forgetEvent: () => {},
    },
    freshMarket(slug) {
      const named = names.fresh(slug);
      const market = (named === null ? names.fresh(slug.toLowerCase()) : named)?.market ?? null;
      return market && withResolution(market);
    },
    freshByToken(tokenId) {
      const target = tokens.fresh(tokenId) ?? null;
      return target && resolvedTarget(target);
    },
    heldByToken(tokenId) {
      const target = tokens.peek(tokenId);
      return target && resolvedTarget(target);
    },
    forgetEvent(slug) {
      for (const spelling of [slug, slug.toLowerCase()]) events.forget(spelling);
    },
    markResolved(conditionId) {
      resolved.set(conditionId, true);
      resolutions++;
    },
    isCached: (tokenId) => tokens.peek(tokenId) !== null,
  };
}

/** How an answer to each kind of question is got. */
interface Getters {
  readonly name: (slug: string) => Promise<Named | null>;
  readonly event: (slug: string) => Promise<VenueEvent | null>;
  readonly token: (tokenId: TokenId) => Promise<Compared | null>;
}

function atHand<Key, Value>(glance: (key: Key) => Value | null | undefined): (key: Key) => Promise<Value | null> {
  return async (key) => {
    const held = glance(key);
    if (held === undefined) throw new NotAtHand();
    return held;
  };
}

/** A few slugs hold capital letters; all others are lower case, however a person wrote them. */
async function inEitherSpelling<T>(get: (slug: string) => Promise<T | null>, slug: string): Promise<T | null> {
  const lowerCase = slug.toLowerCase();
  return (await get(slug)) ?? (lowerCase === slug ? null : get(lowerCase));
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof OutsideError)) throw cause;
    throw unavailable(
      cause instanceof UnreadableAnswer ? "the venue's answer about this market cannot be read" : NO_ANSWER,
      cause,
    );
  }
}

const NO_ANSWER = "the venue's market catalog does not answer";

/** Returns the Problem that nothing can be said now, and why. */
export function unavailable(why: string = NO_ANSWER, cause?: unknown): Problem {
  const message = `${why}; try again in ${RETRY_AFTER_S} seconds`;
  return new Problem('venue_unavailable', message, { retryAfterS: RETRY_AFTER_S, cause });
}
