import { descriptionOf, tagSlug } from '../../frames/listing-frames.js';
import { amountOf, gammaIdOf, hash32 } from '../../market/deterministic-ids.js';
import type { ListedPrices } from '../../market/listed-prices.js';
import type { LiveMarket } from '../../market/live-market.js';
import type { LiveEvent } from '../../market/venue-state.js';
import { gammaMarket, isoText } from './market.js';

type Json = Record<string, unknown>;

/** Where the listing's prices come from, and its time. */
export interface Listing {
  readonly pricesOf: (market: LiveMarket) => ListedPrices;
  readonly nowMs: number;
}

const IMAGE = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/placeholder.png';

/**
 * Returns an event with all its markets, closed and inactive ones included, as Gamma nests them.
 */
export function gammaEvent(event: LiveEvent, listing: Listing): Json {
  return { ...gammaEventAlone(event, listing), markets: event.markets.map((market) => written(market, listing)) };
}

/** Returns a market with its event inside, as the market listings show it. */
export function gammaMarketWithEvent(market: LiveMarket, event: LiveEvent, listing: Listing): Json {
  const { tags: _, ...parent } = gammaEventAlone(event, listing);
  return Object.assign(written(market, listing), { events: [parent] });
}

/** Whether the listing says that all of an event is over. */
export function isListedAsOver({ markets }: LiveEvent, nowMs: number): boolean {
  return markets.every((market) => market.listedStanding(nowMs).closed);
}

function written(market: LiveMarket, { pricesOf, nowMs }: Listing): Json {
  return gammaMarket(market, pricesOf(market), nowMs);
}

function gammaEventAlone(event: LiveEvent, { nowMs }: Listing): Json {
  const { spec } = event;
  return {
    id: gammaIdOf(`event:${spec.slug}`),
    ticker: spec.slug,
    slug: spec.slug,
    title: spec.title,
    description: event.markets[0] === undefined ? '' : descriptionOf(event.markets[0]),
    resolutionSource: '',
    ...eventDates(event),
    image: IMAGE,
    icon: IMAGE,
    active: true,
    closed: isListedAsOver(event, nowMs),
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    ...eventVolumes(spec.slug),
    enableOrderBook: true,
    negRisk: spec.negRisk,
    ...(spec.negRisk ? { negRiskMarketID: hash32(`negrisk:${spec.slug}`) } : {}),
    commentCount: 0,
    ...(spec.seriesSlug === undefined ? {} : { series: [series(spec.seriesSlug)], seriesSlug: spec.seriesSlug }),
    tags: spec.tags.map(tag),
    cyom: false,
    showAllOutcomes: true,
    showMarketImages: false,
    enableNegRisk: spec.negRisk,
    automaticallyActive: true,
    negRiskAugmented: event.markets.some((market) => !market.active),
    pendingDeployment: false,
    deploying: false,
    requiresTranslation: false,
  };
}

function eventDates(event: LiveEvent): Json {
  const first = event.markets[0];
  const startText = isoText(first?.dates.startMs ?? 0);
  return {
    startDate: startText,
    creationDate: startText,
    endDate: isoText(first?.dates.endMs ?? 0),
    createdAt: startText,
    updatedAt: isoText(first?.listedAtMs ?? 0),
  };
}

function eventVolumes(slug: string): Json {
  const volume = amountOf(`${slug}:event-volume`, 50_000, 9_000_000);
  const liquidity = amountOf(`${slug}:event-liquidity`, 10_000, 900_000);
  return {
    liquidity,
    volume,
    openInterest: Math.round(volume * 10) / 100,
    volume24hr: Math.round(volume * 3) / 100,
    volume1wk: Math.round(volume * 20) / 100,
    volume1mo: volume,
    volume1yr: volume,
    liquidityClob: liquidity,
  };
}

function series(slug: string): Json {
  return { id: gammaIdOf(`series:${slug}`), ticker: slug, slug, title: slug, active: true, closed: false };
}

function tag(label: string): Json {
  return { id: gammaIdOf(`tag:${label}`), label, slug: tagSlug(label), forceShow: false, requiresTranslation: false };
}
