import { gammaIdOf } from '../market/deterministic-ids.js';
import type { LiveMarket } from '../market/live-market.js';
import type { FeeSpec, OutcomeIndex } from '../market/market-spec.js';

/**
 * Returns the message that a market has been listed (custom feature, sent to everyone who asked for
 * those).
 */
export function newMarketFrame(market: LiveMarket, atMs: number) {
  const { spec, ids } = market;
  return {
    event_type: 'new_market' as const,
    id: gammaIdOf(spec.slug),
    question: spec.question,
    market: ids.conditionId,
    slug: spec.slug,
    description: descriptionOf(market),
    assets_ids: ids.tokenIds,
    outcomes: spec.outcomes,
    event_message: eventMessage(market),
    timestamp: String(atMs),
    tags: market.event.tags.map(tagSlug),
    condition_id: ids.conditionId,
    active: market.active,
    clob_token_ids: ids.tokenIds,
    sports_market_type: spec.sportsMarketType ?? '',
    line: '',
    game_start_time: '',
    order_price_min_tick_size: spec.tickSize,
    group_item_title: spec.groupItemTitle,
    taker_base_fee: spec.fee === null ? '0' : '1000',
    fees_enabled: spec.fee !== null,
    fee_schedule: spec.fee === null ? null : feeScheduleJson(spec.fee),
  };
}

/** Returns the message that a market has been resolved. */
export function marketResolvedFrame(market: LiveMarket, winner: OutcomeIndex, atMs: number) {
  return {
    event_type: 'market_resolved' as const,
    id: gammaIdOf(market.spec.slug),
    market: market.ids.conditionId,
    assets_ids: market.ids.tokenIds,
    winning_asset_id: market.ids.tokenIds[winner],
    winning_outcome: market.spec.outcomes[winner],
    event_message: eventMessage(market),
    timestamp: String(atMs),
    tags: market.event.tags.map(tagSlug),
  };
}

/** Returns a fee curve as the venue shows it; exponent 1 and taker-only on every live market. */
export function feeScheduleJson(fee: FeeSpec) {
  return { exponent: 1, rate: fee.rate, takerOnly: true, rebateRate: fee.rebateRate };
}

/** Returns the slug of a tag: its label in lower case with dashes. */
export function tagSlug(label: string): string {
  return label.toLowerCase().replaceAll(' ', '-');
}

/** Returns the resolution rules, which the venue keeps in `description`. */
export function descriptionOf(market: LiveMarket): string {
  const [first, second] = market.spec.outcomes;
  return (
    `This simulated market resolves to "${first}" or "${second}". ` +
    `It is part of a local venue for development: nothing here can be traded for money.`
  );
}

function eventMessage(market: LiveMarket) {
  const { slug, title } = market.event;
  return { id: gammaIdOf(`event:${slug}`), ticker: slug, slug, title, description: descriptionOf(market) };
}
