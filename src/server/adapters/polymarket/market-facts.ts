import { OutsideError } from '#domain/errors';
import { parseCondition, parseTokenId } from '#domain/ids';
import { FEE_FREE, ZERO_FEES } from '#domain/market';
import { categorizeMarket } from '#domain/rating/market-category';
import type { TapeMarket } from '#domain/rating/tape-market';
import { isCryptoUpDown } from '#domain/rating/updown';
import type { TokenOutcome, TokenOutcomes } from '#ports/chain-trades';
import type { MarketFacts, MarketsReport } from '#ports/trade-source';
import type { Clock } from '#system/clock';
import { parseClobMarket } from '#wire/polymarket/clob';
import { type GammaMarketFacts, parseGammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import type { HttpJson } from '../http-client/json.js';
import { fetchPayouts, type Payout } from './payouts.js';
import { bodyOf, IDS_PER_CALL, inGroups, isAbsent, unreadable } from './venue-answers.js';

/** Questions to the CLOB under way at once, for what Gamma does not give. */
const CLOB_CALLS_MAX = 8;

export interface MarketFactsOptions {
  readonly gamma: HttpJson;
  /** Asked for winners and fees that Gamma does not give. */
  readonly clob: HttpJson;
  /** Asked for payout vectors (`/v2/resolutions`). */
  readonly data: HttpJson;
  readonly clock: Clock;
}

/**
 * Returns the markets of conditions as ratings need them: Gamma's words about the market, open and
 * closed, and the payout vector of those that should have ended. Conditions that are none of the
 * venue's (of an imported tape, say) are not asked for.
 */
export function createMarketFacts(outside: MarketFactsOptions): MarketFacts & TokenOutcomes {
  return {
    async fetchMarketFacts(conditions) {
      const wanted = unique(conditions).filter((condition) => parseCondition(condition) !== null);
      const found = new Map<string, TapeMarket>();
      const reasons = new Map<string, string>();
      for (const group of inGroups(wanted, IDS_PER_CALL)) {
        const { markets, isTorn } = await fetchGammaTwice(outside.gamma, group);
        const { completed, unasked } = await completeAll(outside, markets);
        for (const market of completed) found.set(market.condition, market);
        for (const [condition, why] of unasked) reasons.set(condition, why);
        if (!isTorn) continue;
        for (const condition of group) {
          if (!found.has(condition)) reasons.set(condition, 'Gamma cannot be read, or contradicts itself');
        }
      }
      return { found, unasked: reasons };
    },
    async findOutcomes(tokens) {
      const outcomes = new Map<string, TokenOutcome>();
      for (const group of inGroups(
        unique(tokens).filter((token) => parseTokenId(token) !== null),
        IDS_PER_CALL,
      )) {
        const { markets } = await fetchGamma(outside.gamma, 'clob_token_ids', group);
        for (const { condition, event, tokens: own } of markets) {
          for (const [outcomeIndex, token] of own.entries()) outcomes.set(token, { condition, event, outcomeIndex });
        }
      }
      return outcomes;
    },
  };
}

/**
 * No end in markets of so many events is no chance: one of a hundred real markets has none, and
 * then often all of its event.
 */
const EVENTS_WITHOUT_END_MAX = 5;

/**
 * Asks twice, in another order, and returns the markets of which both answers say the same: a field
 * that is missing may be one that the market does not have, or one that was lost on the way.
 */
async function fetchGammaTwice(
  gamma: HttpJson,
  conditions: readonly string[],
): Promise<{ readonly markets: readonly GammaMarketFacts[]; readonly isTorn: boolean }> {
  const first = await fetchGamma(gamma, 'condition_ids', conditions);
  const again = await fetchGamma(gamma, 'condition_ids', conditions.toReversed());
  const seen = new Map(again.markets.map((market) => [market.condition, JSON.stringify(market)]));
  const agreed = first.markets.filter((market) => seen.get(market.condition) === JSON.stringify(market));
  const events = new Set(agreed.map(({ event }) => event));
  const hasNoEnds =
    events.size >= EVENTS_WITHOUT_END_MAX && agreed.every(({ scheduledEndS }) => scheduledEndS === null);
  const markets = hasNoEnds ? [] : agreed;
  const isTorn = first.isTorn || again.isTorn || markets.length < Math.max(first.markets.length, again.markets.length);
  return { markets, isTorn };
}

/**
 * Gamma's list leaves closed markets out unless asked for them alone (docs/venue.md, "Catalog").
 */
async function fetchGamma(
  gamma: HttpJson,
  parameter: 'condition_ids' | 'clob_token_ids',
  ids: readonly string[],
): Promise<{ readonly markets: readonly GammaMarketFacts[]; readonly isTorn: boolean }> {
  const found = new Map<string, GammaMarketFacts>();
  let missing = ids;
  let isTorn = false;
  for (const closed of [false, true]) {
    if (missing.length === 0) break;
    const query = new URLSearchParams({ limit: String(missing.length), include_tag: 'true', closed: String(closed) });
    for (const id of missing) query.append(parameter, id);
    const list = bodyOf(gamma, await gamma.get(`/markets?${query}`), 'markets');
    if (!Array.isArray(list)) throw unreadable(gamma, 'a list of markets');
    const received = new Set<string>();
    for (const market of list.map(parseGammaMarketFacts)) {
      if (market === null) {
        isTorn = true;
        continue;
      }
      const own = parameter === 'condition_ids' ? [market.condition] : market.tokens;
      if (!own.some((id) => missing.includes(id))) continue;
      found.set(market.condition, market);
      for (const id of own) received.add(id);
    }
    missing = missing.filter((id) => !received.has(id));
  }
  return { markets: [...found.values()], isTorn };
}

async function completeAll(
  outside: MarketFactsOptions,
  markets: readonly GammaMarketFacts[],
): Promise<{ readonly completed: readonly TapeMarket[]; readonly unasked: MarketsReport['unasked'] }> {
  const nowS = Math.floor(outside.clock.nowMs() / 1e3);
  const { payouts, unasked } = await fetchPayouts(
    outside,
    markets.filter(({ closed, scheduledEndS }) => closed || (scheduledEndS ?? 0) <= nowS),
  );
  const reasons = new Map(unasked);
  const completed: TapeMarket[] = [];
  for (const group of inGroups(markets, CLOB_CALLS_MAX)) {
    const fees = await Promise.all(group.map((market) => fetchFee(outside.clob, market)));
    for (const [i, market] of group.entries()) {
      const fee = fees[i]!;
      if (fee.kind === 'unasked') reasons.set(market.condition, 'its fee cannot be asked for');
      // Absent, as a market without a description: it is waited for, but not without end.
      else if (fee.kind === 'found') completed.push(toTapeMarket(market, fee, payouts.get(market.condition)));
    }
  }
  return { completed, unasked: reasons };
}

/** What Gamma or the CLOB say of the fee; nothing where neither does. */
type Fee = Pick<GammaMarketFacts, 'feesEnabled' | 'feeRate' | 'feeExponent'> & { readonly kind: 'found' };

/** The fee, or that a question failed, or that Gamma speaks of a fee and the CLOB of none. */
type FeeReport = Fee | { readonly kind: 'unasked' } | { readonly kind: 'contradicted' };

/**
 * A market whose fee neither gives is charged by the table of its category. A question that fails
 * is not an answer: the rate of the table may be another one.
 */
async function fetchFee(clob: HttpJson, market: GammaMarketFacts): Promise<FeeReport> {
  const byGamma: Fee = { ...market, kind: 'found' };
  if (isFeeWhole(market)) return byGamma;
  try {
    const answer = await clob.get(`/clob-markets/${market.condition}`);
    if (isAbsent(answer)) return byGamma;
    const received = answer.kind === 'ok' ? parseClobMarket(answer.body) : null;
    if (received?.conditionId !== market.condition) return { kind: 'unasked' };
    if (!received.fee.known) return byGamma;
    if (received.fee === FEE_FREE && market.feesEnabled === true) return { kind: 'contradicted' };
    const { rate, exponent } = received.fee;
    return rate === 0
      ? { kind: 'found', feesEnabled: false, feeRate: null, feeExponent: null }
      : { kind: 'found', feesEnabled: true, feeRate: rate, feeExponent: exponent };
  } catch (error) {
    if (error instanceof OutsideError) return { kind: 'unasked' };
    throw error;
  }
}

/** Whether Gamma says all of a fee. A rate of 0 is 0 by any curve. */
function isFeeWhole({ feesEnabled, feeType, feeRate, feeExponent }: GammaMarketFacts): boolean {
  if (feesEnabled === false || feeRate === 0) return true;
  return feeRate === null ? feeType === ZERO_FEES : feeExponent !== null;
}

function toTapeMarket(market: GammaMarketFacts, fee: Fee, payout: Payout | undefined): TapeMarket {
  const { condition, event, slug, seriesSlug, outcomes, scheduledEndS } = market;
  const { category, feeRateMicros } = categorizeMarket({ ...market, ...fee });
  return {
    condition,
    event,
    slug,
    category,
    feeRateMicros,
    upDown: isCryptoUpDown({ slug, seriesSlug, outcomes, isCrypto: category === 'crypto' }),
    scheduledEndS,
    resolvedAtS: payout?.resolvedAtS ?? null,
    payoutMicros: payout?.payoutMicros ?? null,
    ...(payout === undefined ? {} : { payoutSource: payout.payoutSource }),
    ...(market.createdAtS === null ? {} : { createdAtS: market.createdAtS }),
  };
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
