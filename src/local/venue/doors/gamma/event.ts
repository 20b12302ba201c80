import { descriptionOf, tagSlug } from '../../frames/listing-frames.js';
import { amountOf, gammaIdOf, hash32 } from '../../market/deterministic-ids.js';
import type { ListedPrices } from '../../market/listed-prices.js';
import type { LiveMarket } from '../../market/live-market.js';
import type { LiveEvent } from '../../market/venue-state.js';
import { gammaMarket, isoText } from './market.js';

type Json = Record<string, unknown>;
type PricesOf = (market: LiveMarket) => ListedPrices;

const IMAGE = 'https://polymarket-upload.s3.us-east-2.amazonaws.com/placeholder.png';

/**
 * Returns an event with all its markets, closed and inactive ones included, as Gamma nests them.
 */
export function gammaEvent(event: LiveEvent, pricesOf: PricesOf): Json {
  return { ...gammaEventAlone(event), markets: event.markets.map((market) => gammaMarket(market, pricesOf(market))) };
}

/** Returns a market with its event inside, as the market listings show it. */
export function gammaMarketWithEvent(market: LiveMarket, event: LiveEvent, pricesOf: PricesOf): Json {
  const { tags: _, ...parent } = gammaEventAlone(event);
  return Object.assign(gammaMarket(market, pricesOf(market)), { events: [parent] });
}

function gammaEventAlone(event: LiveEvent): Json {
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
    closed: event.markets.every((market) => market.closed),
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
