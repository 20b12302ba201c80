import type { VenueFaults } from '../../faults/faults.js';
import { wireLevel } from '../../frames/frames.js';
import { descriptionOf } from '../../frames/listing-frames.js';
import { type BookView, distorted, hashOf } from '../../market/book-view.js';
import { hash32 } from '../../market/deterministic-ids.js';
import type { LiveMarket } from '../../market/live-market.js';
import type { OutcomeIndex } from '../../market/market-spec.js';
import { isoText } from '../gamma/market.js';

type Json = Record<string, unknown>;

/**
 * Returns a book as `GET /book` writes it: bids ascend, asks descend, all ten fields, numbers as
 * strings.
 */
export function clobBook(trueView: BookView, faults: VenueFaults): Json {
  const lie = faults.lieAt(trueView.tokenId, 'rest');
  const view = lie === null ? trueView : distorted(trueView, lie);
  return {
    market: view.conditionId,
    asset_id: view.tokenId,
    timestamp: String(view.timestampMs),
    hash: hashOf(view),
    bids: view.bidsAscending.map(wireLevel),
    asks: view.asksDescending.map(wireLevel),
    min_order_size: view.minOrderSize,
    tick_size: view.tickSize,
    neg_risk: view.negRisk,
    last_trade_price: view.lastTradePrice,
  };
}

/**
 * Returns a market as `GET /clob-markets/{condition}` writes it: `nr` only if true, `fd` only if
 * there is a fee.
 */
export function clobMarketInfo(market: LiveMarket): Json {
  const { spec, ids } = market;
  const baseFee = spec.fee === null ? 0 : 1000;
  return {
    r: { mi: 50, ma: 3.5, moas: 4 },
    t: ids.tokenIds.map((t, index) => ({ t, o: spec.outcomes[index as OutcomeIndex] })),
    c: ids.conditionId,
    mos: 5,
    mts: Number(market.view(0).tickSize),
    mbf: baseFee,
    tbf: baseFee,
    ao: !market.closed,
    ...(market.event.negRisk ? { nr: true } : {}),
    cbos: true,
    aot: isoText(market.dates.startMs),
    ibce: true,
    ...(spec.fee === null ? {} : { fd: { r: spec.fee.rate, e: 1, to: true } }),
    v: spec.protocol,
  };
}

/**
 * Returns a market as `GET /markets/{condition}` writes it: where a winner is flagged when Gamma's
 * prices do not show it.
 */
export function clobMarket(market: LiveMarket): Json {
  const { spec, ids, event, dates } = market;
  return {
    enable_order_book: !market.closed,
    active: market.active,
    closed: market.closed,
    archived: false,
    accepting_orders: true,
    accepting_order_timestamp: isoText(market.dates.startMs),
    minimum_order_size: 5,
    minimum_tick_size: Number(market.view(0).tickSize),
    condition_id: ids.conditionId,
    question_id: hash32(`question:${spec.slug}`),
    question: spec.question,
    description: descriptionOf(market),
    market_slug: spec.slug,
    end_date_iso: isoText(dates.endMs),
    game_start_time: dates.gameStartMs === null ? null : isoText(dates.gameStartMs),
    seconds_delay: spec.secondsDelay,
    fpmm: '',
    maker_base_fee: spec.fee === null ? 0 : 1000,
    taker_base_fee: spec.fee === null ? 0 : 1000,
    notifications_enabled: true,
    neg_risk: event.negRisk,
    neg_risk_market_id: event.negRisk ? hash32(`negrisk:${event.slug}`) : '',
    neg_risk_request_id: event.negRisk ? hash32(`request:${spec.slug}`) : '',
    icon: '',
    image: '',
    rewards: { rates: null, min_size: 50, max_spread: 3.5 },
    is_50_50_outcome: market.payout?.[0] === 500_000,
    tokens: ([0, 1] as const).map((outcome) => clobToken(market, outcome)),
    tags: event.tags,
  };
}

function clobToken(market: LiveMarket, outcome: OutcomeIndex): Json {
  const winner = market.winner === outcome;
  const view = market.view(outcome);
  const middle =
    ((view.bidsAscending.at(-1)?.priceTicks ?? 0) + (view.asksDescending.at(-1)?.priceTicks ?? 10_000)) / 2;
  const price = market.payout === null ? middle / 10_000 : market.payout[outcome] / 1_000_000;
  return { token_id: market.ids.tokenIds[outcome], outcome: market.spec.outcomes[outcome], price, winner };
}
