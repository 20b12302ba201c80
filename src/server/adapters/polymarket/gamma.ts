import { OutsideError } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import { FEE_UNKNOWN, type FeeSchedule, type Market, type VenueEvent } from '#domain/market';
import type { CallClass, MarketCatalog, Upstream } from '#ports/venue';
import { parseClobMarket } from '#wire/polymarket/clob';
import { type GammaMarket, parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';
import type { HttpJson } from '../http-client/json.js';
import { IDS_PER_CALL, inGroups } from './venue-answers.js';

/**
 * Questions about many tokens that are under way at once: each takes a few milliseconds to read.
 */
const BULK_CALLS_MAX = 2;

export interface GammaCatalogOptions {
  readonly gamma: HttpJson;
  /** Asked for the fee of a market where Gamma does not give it. */
  readonly clob: HttpJson;
}

export type GammaCatalog = MarketCatalog & Upstream;

type ReadableMarket = Extract<GammaMarket, { kind: 'market' }>;

/**
 * Returns the venue's catalogue. Since 2026-04-09 Gamma's lists leave closed markets out unless
 * asked for them alone (docs/venue.md, "Catalogue"), so whatever is not found open is looked for
 * once more with `closed=true`. A market found by slug or token has its fee completed from the
 * CLOB; the markets of an event do not (up to 130 calls), so there a fee that Gamma does not give
 * stays FEE_UNKNOWN.
 */
export function createGammaCatalog({ gamma, clob }: GammaCatalogOptions): GammaCatalog {
  async function findMarket(query: string, isWanted: (market: Market) => boolean): Promise<Market | null> {
    const found = await lookTwice(gamma, `/markets?${query}`, (raw) => {
      const parsed = parseGammaMarket(raw);
      return parsed.kind === 'market' && isWanted(parsed.market) ? parsed : null;
    });
    return found && completeFee(clob, found);
  }

  async function fetchOpen(tokenIds: readonly TokenId[]): Promise<readonly Market[]> {
    const query = new URLSearchParams({ limit: String(tokenIds.length) });
    for (const tokenId of tokenIds) query.append('clob_token_ids', tokenId);
    const found: Market[] = [];
    for (const raw of await fetchList(gamma, `/markets?${query}`, 'background')) {
      const parsed = parseGammaMarket(raw);
      if (parsed.kind !== 'market' || !parsed.isFeeReported) continue;
      if (tokenIds.some((tokenId) => hasToken(parsed.market, tokenId))) found.push(parsed.market);
    }
    return found;
  }

  return {
    fetchMarketBySlug: (slug) => findMarket(`slug=${encodeURIComponent(slug)}`, (market) => market.slug === slug),
    fetchMarketByToken: (tokenId) => findMarket(`clob_token_ids=${tokenId}`, (market) => hasToken(market, tokenId)),
    async fetchMarketsByTokens(tokenIds) {
      const found: Market[] = [];
      const groups = inGroups([...new Set(tokenIds)], IDS_PER_CALL);
      for (const some of inGroups(groups, BULK_CALLS_MAX))
        for (const markets of await Promise.all(some.map(fetchOpen))) found.push(...markets);
      return found;
    },
    fetchEventBySlug: (slug) =>
      lookTwice<VenueEvent>(gamma, `/events?slug=${encodeURIComponent(slug)}`, (raw) => {
        const event = parseGammaEvent(raw);
        return event?.slug === slug ? event : null;
      }),
    health: gamma.health,
    probe: gamma.probe,
  };
}

/**
 * Returns the first element of the list that `read` takes, among the open and then among the
 * closed, or null.
 */
async function lookTwice<T>(gamma: HttpJson, path: string, read: (raw: unknown) => T | null): Promise<T | null> {
  for (const suffix of ['', '&closed=true']) {
    for (const raw of await fetchList(gamma, `${path}${suffix}`)) {
      const found = read(raw);
      if (found !== null) return found;
    }
  }
  return null;
}

/**
 * Gamma answers an unknown slug with an empty list, and one that it does not like with a 4xx: both
 * mean "no such".
 */
async function fetchList(gamma: HttpJson, path: string, callClass?: CallClass): Promise<readonly unknown[]> {
  const answer = await gamma.get(path, callClass);
  if (answer.kind === 'refused') {
    if (answer.status === 404 || answer.status === 422 || answer.status === 400) return [];
    throw new OutsideError(gamma.upstream, `refused (${answer.status})`, { failure: 'final', status: answer.status });
  }
  if (Array.isArray(answer.body)) return answer.body;
  throw new OutsideError(gamma.upstream, 'answered something other than a list', { failure: 'final' });
}

async function completeFee(clob: HttpJson, { market, isFeeReported }: ReadableMarket): Promise<Market> {
  return isFeeReported ? market : { ...market, fee: await fetchFee(clob, market.conditionId) };
}

/**
 * A fee that cannot be learnt is the worst one published, never none; the market itself can still
 * be judged.
 */
async function fetchFee(clob: HttpJson, conditionId: ConditionId): Promise<FeeSchedule> {
  try {
    const answer = await clob.get(`/clob-markets/${conditionId}`);
    const received = answer.kind === 'ok' ? parseClobMarket(answer.body) : null;
    return received?.conditionId === conditionId ? received.fee : FEE_UNKNOWN;
  } catch (error) {
    if (error instanceof OutsideError) return FEE_UNKNOWN;
    throw error;
  }
}

function hasToken(market: Market, tokenId: TokenId): boolean {
  return market.outcomes.some((outcome) => outcome.tokenId === tokenId);
}
