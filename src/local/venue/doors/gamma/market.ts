import { descriptionOf, feeScheduleJson } from '../../frames/listing-frames.js';
import { amountOf, gammaIdOf, hash32, walletOf } from '../../market/deterministic-ids.js';
import type { ListedPrices } from '../../market/listed-prices.js';
import type { LiveMarket, Standing } from '../../market/live-market.js';

type Json = Record<string, unknown>;

const IMAGE = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/placeholder.png';

/**
 * Returns a market as Gamma writes it, with Gamma's habits: outcomes, outcomePrices and
 * clobTokenIds are JSON inside a string, volume is a string and volumeNum a number, what does not
 * apply is left out rather than null (but feeType, and clobTokenIds in the second protocol).
 */
export function gammaMarket(market: LiveMarket, prices: ListedPrices, nowMs: number): Json {
  const standing = market.listedStanding(nowMs);
  // To spread so many members takes fifty times as long, and there are thousands of markets.
  return Object.assign(
    identity(market),
    dates(market, standing),
    lifeOf(market, prices, standing),
    volumes(market, standing),
    trading(market, prices),
    fees(market),
  );
}

function identity(market: LiveMarket): Json {
  const { spec, ids } = market;
  return {
    id: gammaIdOf(spec.slug),
    question: spec.question,
    conditionId: ids.conditionId,
    slug: spec.slug,
    image: IMAGE,
    icon: IMAGE,
    description: descriptionOf(market),
    outcomes: listText(spec.outcomes),
    ...tokenIds(market),
    groupItemTitle: spec.groupItemTitle,
    groupItemThreshold: String(market.event.markets.indexOf(spec)),
    questionID: hash32(`question:${spec.slug}`),
    marketMakerAddress: '',
    submitted_by: walletOf('venue:operator'),
    resolvedBy: walletOf('venue:oracle'),
    umaBond: '500',
    umaReward: '5',
    customLiveness: 0,
  };
}

/** In the second protocol the ids have another name, and are a list. */
function tokenIds({ spec, ids }: LiveMarket): Json {
  if (spec.protocol === 'v1') return { clobTokenIds: listText(ids.tokenIds) };
  return { version: spec.protocol, clobTokenIds: null, positionIds: ids.tokenIds };
}

function dates(market: LiveMarket, { closed, closedAtMs }: Standing): Json {
  const { startMs, endMs, gameStartMs } = market.dates;
  const closedMs = closed ? closedAtMs : null;
  return {
    createdAt: isoText(startMs),
    updatedAt: isoText(closedMs ?? market.listedAtMs),
    startDate: isoText(startMs),
    startDateIso: isoText(startMs).slice(0, 10),
    endDate: isoText(endMs),
    endDateIso: isoText(endMs).slice(0, 10),
    acceptingOrdersTimestamp: isoText(startMs),
    ...(closedMs === null ? {} : { closedTime: postgresText(closedMs) }),
    ...(gameStartMs === null ? {} : { gameStartTime: postgresText(gameStartMs) }),
  };
}

function lifeOf(market: LiveMarket, prices: ListedPrices, { closed, resolutionStatus, payout }: Standing): Json {
  const settled = payout?.map((micros) => String(micros / 1_000_000));
  const shown = market.active ? { outcomePrices: listText(settled ?? prices.outcomePrices) } : {};
  return Object.assign(shown, {
    active: market.active,
    closed,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    ready: false,
    funded: false,
    approved: true,
    ...resolution(market, resolutionStatus),
    hasReviewedDates: true,
    cyom: false,
    pagerDutyNotificationEnabled: false,
    automaticallyActive: true,
    clearBookOnStart: true,
    showGmpSeries: false,
    showGmpOutcome: false,
    manualActivation: false,
    pendingDeployment: false,
    deploying: false,
    rfqEnabled: false,
    holdingRewardsEnabled: false,
    requiresTranslation: false,
  });
}

function resolution({ spec }: LiveMarket, status: string): Json {
  if (spec.protocol !== 'v1') return { resolutionStatus: status === '' ? 'inactive' : status };
  return {
    umaResolutionStatus: status === '' ? undefined : status,
    umaResolutionStatuses: status === '' ? '[]' : '["proposed"]',
  };
}

function volumes(market: LiveMarket, { closed }: Standing): Json {
  const { slug } = market.spec;
  if (!market.active) return {};
  const volume = amountOf(`${slug}:volume`, 5_000, 3_000_000);
  const liquidity = market.spec.shape.depthUsd * 2;
  const day = Math.round(volume * 3) / 100;
  return {
    volume: String(volume),
    volumeNum: volume,
    volumeClob: volume,
    volume24hr: day,
    volume24hrClob: day,
    volume1wk: Math.round(day * 500) / 100,
    volume1wkClob: Math.round(day * 500) / 100,
    volume1mo: volume,
    volume1moClob: volume,
    volume1yr: volume,
    volume1yrClob: volume,
    ...(closed ? {} : { liquidity: String(liquidity), liquidityNum: liquidity, liquidityClob: liquidity }),
  };
}

function trading(market: LiveMarket, prices: ListedPrices): Json {
  const { spec } = market;
  const negRiskId = hash32(`negrisk:${market.event.slug}`);
  return {
    enableOrderBook: true,
    // Stays true on closed markets, as it does on the venue often enough: it proves nothing by
    // itself.
    acceptingOrders: true,
    orderPriceMinTickSize: Number(market.view(0).tickSize),
    orderMinSize: 5,
    negRisk: market.event.negRisk,
    ...(market.event.negRisk ? { negRiskMarketID: negRiskId } : {}),
    negRiskRequestID: market.event.negRisk ? hash32(`request:${spec.slug}`) : '',
    negRiskOther: spec.standing === 'other',
    ...(spec.secondsDelay > 0 ? { secondsDelay: spec.secondsDelay } : {}),
    ...(spec.sportsMarketType === undefined ? {} : { sportsMarketType: spec.sportsMarketType }),
    rewardsMinSize: 50,
    rewardsMaxSpread: 3.5,
    ...(market.active ? quoted(prices) : {}),
  };
}

function quoted(prices: ListedPrices): Json {
  const fromEven = Number(prices.outcomePrices[0]) - 0.5;
  return {
    // How near to even the market stands; recorded values follow this formula.
    competitive: 1 / (1 + fromEven ** 2),
    spread: prices.spread,
    ...(prices.lastTradePrice === null ? {} : { lastTradePrice: prices.lastTradePrice }),
    ...(prices.bestBid === null ? {} : { bestBid: prices.bestBid }),
    bestAsk: prices.bestAsk,
  };
}

function fees(market: LiveMarket): Json {
  const { fee } = market.spec;
  if (fee === null) return { feesEnabled: false, feeType: null };
  return {
    makerBaseFee: 1000,
    takerBaseFee: 1000,
    feesEnabled: true,
    feeType: fee.type,
    ...(fee.onGamma ? { feeSchedule: feeScheduleJson(fee) } : {}),
  };
}

/**
 * Returns a list of strings as Gamma hides it inside a string: JSON with a space after the comma.
 */
function listText(entries: readonly string[]): string {
  return `[${entries.map((entry) => JSON.stringify(entry)).join(', ')}]`;
}

/** Returns an instant as Gamma writes most of them: "2026-05-17T06:03:56.461Z". */
export function isoText(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Returns an instant as Gamma writes closedTime and gameStartTime: "2026-05-09 02:07:01+00". */
function postgresText(atMs: number): string {
  return `${isoText(atMs).slice(0, 19).replace('T', ' ')}+00`;
}
