import { OutsideError, UnreadableAnswer } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import { parseObject } from '#domain/json';
import { FEE_FREE, FEE_UNKNOWN, type Market, type VenueEvent } from '#domain/market';
import type { CallClass, MarketCatalog, Upstream } from '#ports/venue';
import { type ClobMarket, parseClobMarket } from '#wire/polymarket/clob';
import { type GammaMarket, parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';
import type { HttpJson } from '../http-client/json.js';
import { bodyOf, IDS_PER_CALL, inGroups, unreadable } from './venue-answers.js';

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
 * Returns the venue's catalog. Gamma's lists hold the open or the closed alone, and which of them
 * where they are not asked for has changed (docs/venue.md, "Catalog"): so they are asked for the
 * open, and for the closed where nothing is found. A market found by slug or token has its fee
 * completed from the CLOB; the markets of an event do not (up to 130 calls), so there a fee that
 * Gamma does not give stays FEE_UNKNOWN.
 */
export function createGammaCatalog({ gamma, clob }: GammaCatalogOptions): GammaCatalog {
  async function findMarket(query: string, isWanted: (market: Market) => boolean): Promise<Market | null> {
    const found = await lookTwice(gamma, `/markets?${query}`, (raw): Row<ReadableMarket> => {
      const parsed = parseGammaMarket(raw);
      if (parsed.kind === 'market') return isWanted(parsed.market) ? { kind: 'found', found: parsed } : UNREADABLE;
      return parsed.reason === 'malformed' ? UNREADABLE : UNPRICED;
    });
    return found && completeFee(clob, found);
  }

  async function fetchOpen(tokenIds: readonly TokenId[]): Promise<readonly Market[]> {
    const query = new URLSearchParams({ limit: String(tokenIds.length), closed: 'false' });
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
    fetchMarketBySlug: (slug) =>
      findMarket(`slug=${encodeURIComponent(slug)}`, (market) => isSameSlug(market.slug, slug)),
    fetchMarketByToken: (tokenId) => findMarket(`clob_token_ids=${tokenId}`, (market) => hasToken(market, tokenId)),
    async fetchMarketsByTokens(tokenIds) {
      const found: Market[] = [];
      const groups = inGroups([...new Set(tokenIds)], IDS_PER_CALL);
      for (const some of inGroups(groups, BULK_CALLS_MAX))
        for (const markets of await Promise.all(some.map(fetchOpen))) found.push(...markets);
      return found;
    },
    fetchEventBySlug: (slug) =>
      lookTwice(gamma, `/events?slug=${encodeURIComponent(slug)}`, (raw): Row<VenueEvent> => {
        const event = parseGammaEvent(raw);
        return event !== null && isSameSlug(event.slug, slug) ? { kind: 'found', found: event } : UNREADABLE;
      }),
    health: gamma.health,
    probe: gamma.probe,
  };
}

/**
 * One row of a list: what is looked for, what cannot be priced, or what cannot be read. A row that
 * was not asked for is of the last kind: the question was not understood, or the row's name was
 * lost.
 */
type Row<T> =
  | { readonly kind: 'found'; readonly found: T }
  | { readonly kind: 'unpriced' }
  | { readonly kind: 'unreadable' };

const UNPRICED = { kind: 'unpriced' } as const;
const UNREADABLE = { kind: 'unreadable' } as const;

/**
 * Returns what is found among the open and then among the closed, or null: an absence is an empty
 * list. Throws an UnreadableAnswer where a row that cannot be read may be the one.
 */
async function lookTwice<T extends object>(
  gamma: HttpJson,
  path: string,
  read: (raw: unknown) => Row<T>,
): Promise<T | null> {
  for (const closed of [false, true]) {
    const rows = (await fetchList(gamma, `${path}&closed=${closed}`)).map(read);
    const row = rows.find(({ kind }) => kind === 'found');
    if (row?.kind === 'found') return row.found;
    if (rows.some(({ kind }) => kind === 'unreadable'))
      throw new UnreadableAnswer(gamma.upstream, 'listed a row that cannot be read');
  }
  return null;
}

/** Gamma's words for a question that it does not like, and for what it does not have. */
const REFUSALS: ReadonlySet<unknown> = new Set(['validation error', 'not found error']);

/**
 * Gamma answers an unknown slug with an empty list, and one that it does not like with a refusal of
 * its own: both mean "no such".
 */
async function fetchList(gamma: HttpJson, path: string, callClass?: CallClass): Promise<readonly unknown[]> {
  const answer = await gamma.get(path, callClass);
  if (answer.kind === 'refused' && isNoSuch(answer.status, answer.text)) return [];
  const list = bodyOf(gamma, answer, 'its list');
  if (Array.isArray(list)) return list;
  throw unreadable(gamma, 'a list');
}

function isNoSuch(status: number, text: string): boolean {
  return (status === 400 || status === 404 || status === 422) && REFUSALS.has(parseObject(text)?.type);
}

/** Gamma finds a slug in any case. */
function isSameSlug(listed: string, requested: string): boolean {
  return listed.toLowerCase() === requested.toLowerCase();
}

async function completeFee(clob: HttpJson, { market, isFeeReported, hasFee }: ReadableMarket): Promise<Market> {
  if (isFeeReported) return market;
  const received = await fetchTerms(clob, market.conditionId);
  const fee = received?.fee ?? FEE_UNKNOWN;
  const { status } = market;
  return {
    ...market,
    // The CLOB leaves out a fee that is none, and Gamma speaks of one: it was lost.
    fee: fee === FEE_FREE && hasFee ? FEE_UNKNOWN : fee,
    // It is the CLOB that takes orders, or does not.
    status: received?.acceptingOrders === false ? { ...status, acceptingOrders: false } : status,
  };
}

/**
 * A fee that cannot be learnt is the worst one published, never none; the market itself can still
 * be judged.
 */
async function fetchTerms(clob: HttpJson, conditionId: ConditionId): Promise<ClobMarket | null> {
  try {
    const answer = await clob.get(`/clob-markets/${conditionId}`);
    const received = answer.kind === 'ok' ? parseClobMarket(answer.body) : null;
    return received?.conditionId === conditionId ? received : null;
  } catch (error) {
    if (error instanceof OutsideError) return null;
    throw error;
  }
}

function hasToken(market: Market, tokenId: TokenId): boolean {
  return market.outcomes.some((outcome) => outcome.tokenId === tokenId);
}
