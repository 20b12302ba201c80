import { Problem } from '#domain/errors';
import { type ConditionId, parseTokenId, type TokenId } from '#domain/ids';
import type { Market, VenueEvent } from '#domain/market';
import { type OutcomePick, pickAmong, pickWithin, type Target } from '#domain/order/pick-outcome';
import { type MarketReference, parseMarketReference } from '#domain/order/venue-url';
import { withTimeout } from '../with-timeout.js';
import {
  createMarketLookup,
  type Finders,
  type MarketLookup,
  type MarketLookupOptions,
  NotAtHand,
  unavailable,
} from './market-lookup.js';

/** An error names so many candidates; its list has all of them. */
const CANDIDATES_NAMED_MAX = 8;

/**
 * The part of an order request that says what to price: `slug` (with `outcome` where it takes one)
 * or `token_id`.
 */
export interface MarketRequest {
  readonly slug?: string | undefined;
  readonly outcome?: string | undefined;
  readonly token_id?: string | undefined;
}

export interface Markets {
  /**
   * Returns the one outcome of the one market that is meant. Rejects with a Problem:
   * `invalid_parameter`, `unknown_market`, `outcome_required` (with candidates) or
   * `venue_unavailable` (with retryAfterS).
   */
  resolve(request: MarketRequest): Promise<Target>;
  /**
   * Returns what `resolve` would return without asking the catalog; null if it would ask, or say
   * no. It knows plain cases only: what has to be looked for in an event is taken for one to be
   * asked about.
   */
  resolveCached(request: MarketRequest): Target | null;
  /**
   * Resolves with the Problem that `resolve` would reject with, as far as what is held and counts
   * says so; null: it does not. The catalog is not asked, now or later.
   */
  heldFault(request: MarketRequest): Promise<Problem | null>;
  /**
   * Returns what is held of a token, however old, without asking the catalog or having it asked
   * for; null: nothing is.
   */
  held(tokenId: TokenId): Target | null;
  /** The market channel says that this market is resolved; from now on it is shown as closed. */
  markResolved(conditionId: ConditionId): void;
  /**
   * Whether the token belongs to a market that was looked up before: only such tokens may be
   * subscribed to.
   */
  isCached(tokenId: TokenId): boolean;
}

/** A slug can take several questions: a caller waits for all of them together no longer than this. */
const RESOLVE_MAX_MS = 2_500;

/** Returns the use case "which market is meant?". */
export function createMarkets(options: MarketLookupOptions): Markets {
  const lookup = createMarketLookup(options);
  const limit = { timers: options.timers, ms: RESOLVE_MAX_MS };
  const late = () => {
    throw unavailable();
  };
  return {
    resolve: (request) => withTimeout(resolve(lookup, request), limit, late),
    resolveCached: (request) => resolveCached(lookup, request),
    heldFault: (request) => heldFault(lookup.atHand, request),
    held: lookup.heldByToken,
    markResolved: lookup.markResolved,
    isCached: lookup.isCached,
  };
}

async function resolve(lookup: Finders, { slug, outcome, token_id }: MarketRequest): Promise<Target> {
  if (token_id !== undefined) return resolveToken(lookup, token_id, outcome);
  if (slug !== undefined) return completeFee(lookup, await resolveSlug(lookup, slug, outcome));
  throw new Problem('invalid_parameter', 'give slug (a market or event slug, or a venue URL) or token_id');
}

async function heldFault(atHand: Finders, request: MarketRequest): Promise<Problem | null> {
  try {
    await resolve(atHand, request);
    return null;
  } catch (error) {
    if (error instanceof NotAtHand) return null;
    if (!(error instanceof Problem)) throw error;
    // What cannot be read now may be read when it is asked for again.
    return error.code === 'venue_unavailable' ? null : error;
  }
}

function resolveCached(lookup: MarketLookup, { slug, outcome, token_id }: MarketRequest): Target | null {
  if (token_id !== undefined) {
    // What is no token is not among those that were found.
    const target = lookup.freshByToken(token_id as TokenId);
    if (!target || target.market.placeholder) return null;
    return outcome === undefined || meansOutcome(target, outcome) ? target : null;
  }
  const reference = slug === undefined ? null : parseMarketReference(slug);
  const name = reference && marketNameOf(reference);
  const market = name === null ? null : lookup.freshMarket(name);
  if (market === null || market.placeholder || !market.fee.known) return null;
  const pick = pickWithin(market, outcome);
  if (pick.kind !== 'picked') return null;
  // The event of the same slug may hold the whole name.
  const isSure = pick.match === 'whole' || reference?.kind !== 'slug';
  return isSure ? targetOf(pick) : null;
}

/** The market's slug, if a reference names a market and not only an event. */
function marketNameOf(reference: MarketReference): string | null {
  if (reference.kind === 'invalid') return null;
  return reference.kind === 'event' ? reference.market : reference.slug;
}

async function resolveToken(lookup: Finders, text: string, outcome: string | undefined): Promise<Target> {
  const tokenId = parseTokenId(text);
  if (tokenId === null) throw new Problem('invalid_parameter', 'token_id must be a string of 1 to 78 decimal digits');
  const target = await lookup.findByToken(tokenId);
  if (!target || target.market.placeholder) throw unknown(`no market that can be priced has the token_id ${tokenId}`);
  if (outcome === undefined || meansOutcome(target, outcome)) return target;
  const message = `outcome "${outcome}" is not the outcome of token_id; leave outcome out, or send the candidate`;
  throw new Problem('outcome_required', message, { candidates: [target.outcome.label] });
}

function meansOutcome({ market, outcome: own }: Target, outcome: string): boolean {
  const pick = pickWithin(market, outcome);
  return pick.kind === 'picked' && pick.outcome.tokenId === own.tokenId;
}

async function resolveSlug(lookup: Finders, text: string, outcome: string | undefined): Promise<Target> {
  const reference = parseMarketReference(text);
  switch (reference.kind) {
    case 'invalid':
      throw new Problem('invalid_parameter', reference.why);
    case 'slug':
      return marketFirst(lookup, reference.slug, outcome);
    case 'market':
      return onlyMarket(lookup, reference.slug, null, outcome);
    case 'event':
      if (reference.market !== null) return onlyMarket(lookup, reference.market, reference.event, outcome);
      return eventFirst(lookup, reference.event, outcome);
  }
}

/**
 * A plain slug. Often a market and the event around it share one (the match and its winner market):
 * then the market is meant, unless the outcome's whole name is found only in the event, or no part
 * of it in the market. Without an outcome the caller chooses between the market's own sides.
 */
async function marketFirst(lookup: Finders, slug: string, outcome: string | undefined): Promise<Target> {
  const market = await lookup.findMarket(slug);
  const pick = market && pickWithin(market, outcome);
  if (pick?.kind === 'picked' && pick.match === 'whole') return targetOf(pick);
  if (pick !== null && outcome === undefined) return orRefuse(pick, slug, outcome);
  const event = await lookup.findEvent(slug);
  if (event !== null) return fromEvent(lookup, event, slug, outcome, market ?? undefined);
  if (pick === null) throw unknownSlug(slug);
  return orRefuse(pick, slug, outcome);
}

/** The page of an event. A market's page may look like one where its event shares its slug. */
async function eventFirst(lookup: Finders, slug: string, outcome: string | undefined): Promise<Target> {
  const event = await lookup.findEvent(slug);
  if (event === null) return onlyMarket(lookup, slug, null, outcome);
  return fromEvent(lookup, event, slug, outcome);
}

/** A market that could not be read is asked for again by the next caller who may mean it. */
function fromEvent(
  lookup: Finders,
  event: VenueEvent,
  slug: string,
  outcome: string | undefined,
  preferred?: Market,
): Target {
  const pick = pickAmong(event, outcome, preferred);
  if (pick.kind === 'unreadable') lookup.forgetEvent(slug);
  return orRefuse(pick, slug, outcome);
}

/**
 * The page of one market; of an event, where the name of a tournament stands in the place of the
 * event's. Where the market is a slot that names nobody yet, its event says what can be priced
 * instead.
 */
async function onlyMarket(
  lookup: Finders,
  slug: string,
  eventSlug: string | null,
  outcome: string | undefined,
): Promise<Target> {
  const market = await lookup.findMarket(slug);
  if (market === null) {
    const asEvent = await lookup.findEvent(slug);
    if (asEvent === null) throw unknownSlug(slug);
    return fromEvent(lookup, asEvent, slug, outcome);
  }
  if (!market.placeholder) return orRefuse(pickWithin(market, outcome), slug, outcome);
  const event = eventSlug === null ? null : await lookup.findEvent(eventSlug);
  const named = event && pickAmong(event, undefined);
  const candidates = named?.kind === 'refused' ? named.candidates : [];
  if (candidates.length === 0) throw unknown(`market "${slug}" has no candidate yet and cannot be priced`);
  const message = `market "${slug}" has no candidate yet; send the event's slug with one of the candidates as outcome`;
  throw new Problem('outcome_required', message, { candidates });
}

function targetOf({ market, outcome }: Target): Target {
  return { market, outcome };
}

function orRefuse(pick: OutcomePick, slug: string, outcome: string | undefined): Target {
  if (pick.kind === 'picked') return targetOf(pick);
  if (pick.kind === 'unreadable') {
    throw unavailable(
      `not every market of "${slug}" can be read at the venue, and the one that is meant may be among them`,
    );
  }
  const { candidates } = pick;
  if (candidates.length === 0) throw unknown(`"${slug}" has no market that can be priced`);
  const message =
    outcome === undefined
      ? `"${slug}" has several outcomes; send one of the candidates as outcome, or the slug of a single Yes/No market`
      : `No single outcome of "${slug}" matches "${outcome}". Use one of: ${candidates.slice(0, CANDIDATES_NAMED_MAX).join(', ')}${candidates.length > CANDIDATES_NAMED_MAX ? ', … (candidates)' : ''}`;
  throw new Problem('outcome_required', message, { candidates });
}

/**
 * Among the markets of an event the fee may be missing; asked for by token, a market comes with it.
 */
async function completeFee(lookup: Finders, target: Target): Promise<Target> {
  const { market, outcome } = target;
  if (market.fee.known) return target;
  const alone = await lookup.findByToken(outcome.tokenId).catch(() => null);
  if (alone === null) return target;
  const { fee, status } = alone.market;
  // With the fee the CLOB may have said that it takes no orders.
  const acceptingOrders = market.status.acceptingOrders && status.acceptingOrders;
  return { market: { ...market, fee, status: { ...market.status, acceptingOrders } }, outcome };
}

/** The catalog also leaves out what no order can be priced on, such as a market of three outcomes. */
function unknownSlug(slug: string): Problem {
  return unknown(
    `the venue has no market or event "${slug}" that can be priced; copy the slug from the page address of the market`,
  );
}

function unknown(message: string): Problem {
  return new Problem('unknown_market', message);
}
