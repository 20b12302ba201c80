import { hash32 } from '../../market/deterministic-ids.js';
import type { LiveMarket } from '../../market/live-market.js';

type Json = Record<string, unknown>;

/** Blocks of the chain come about every two seconds. */
const BLOCK_MS = 2_000;
const FIRST_BLOCK_MS = 1_590_000_000_000;
/** What stands in an oracle price that has not been set. */
const PRICE_UNSET = '69';

/**
 * Returns a market's row of `/v2/resolutions`, in a list: empty while nobody has proposed a result.
 * `payouts` (micros per share) and `resolved_at` appear with the result.
 */
export function resolutionJson(market: LiveMarket): Json[] {
  if (market.resolutionStatus === '') return [];
  const changedAtMs = market.closedAtMs ?? market.dates.endMs;
  return [
    {
      condition_id: market.ids.conditionId,
      question_id: hash32(`question:${market.spec.slug}`),
      status: market.payout === null ? 'proposed' : 'resolved',
      extended_review: false,
      was_disputed: false,
      new_version_q: false,
      proposed_price: PRICE_UNSET,
      reproposed_price: PRICE_UNSET,
      price: PRICE_UNSET,
      transaction_hash: hash32(`resolution:${market.spec.slug}`),
      log_index: '17',
      last_update_timestamp: isoSeconds(changedAtMs),
      market_type: market.event.negRisk ? 'INCREMENTAL_NEGRISK' : 'BINARY',
      ...(market.payout === null ? {} : settled(market, market.payout, changedAtMs)),
    },
  ];
}

function settled(market: LiveMarket, payouts: readonly number[], atMs: number): Json {
  return {
    payouts,
    resolution_source: 'reported',
    reporter: market.event.seriesSlug?.includes('up-or-down') === true ? 'CHAINLINK' : 'UMA_OO',
    was_arbitrated: false,
    resolved_block: Math.floor((atMs - FIRST_BLOCK_MS) / BLOCK_MS),
    resolved_at: isoSeconds(atMs),
  };
}

function isoSeconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
