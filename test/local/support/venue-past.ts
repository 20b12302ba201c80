import type { Fill } from '#domain/rating/fill';
import { rateSums } from '#domain/rating/rate-sums';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { isCryptoUpDown } from '#domain/rating/updown';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { getJson, type Json } from './venue-harness.js';

const MICROS = 1_000_000;

/** Every trade of a wallet, by the second version of the Data API. */
export async function tradesOf(venue: LocalVenue, wallet: string): Promise<Json[]> {
  const path = `${venue.dataUrl}/v2/trades?user=${wallet}&start=1&taker_only=false&limit=1000`;
  const rows: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await getJson(cursor === '' ? path : `${path}&cursor=${cursor}`);
    rows.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  return rows;
}

/** Rates every example wallet from what the venue answers, at 00:00 UTC of this day. By name. */
export async function rateExamples(venue: LocalVenue, nowMs: number): Promise<Map<string, Rating>> {
  const asOfS = Math.floor(nowMs / 86_400_000) * 86_400;
  const trades = new Map<string, readonly Json[]>();
  for (const { address, name } of venue.exampleWallets) trades.set(name, await tradesOf(venue, address));
  const markets = await marketsOf(venue, new Set([...trades.values()].flat().map((row) => row.condition_id)));
  const ratings = new Map<string, Rating>();
  for (const [name, rows] of trades) {
    const wallet = rows[0]?.proxy_wallet ?? '';
    ratings.set(
      name,
      rateSums(sumWallet(wallet, rows.map(toFill), markets, asOfS, RATING_CONFIG), asOfS, RATING_CONFIG),
    );
  }
  return ratings;
}

function toFill(row: Json): Fill {
  return {
    wallet: row.proxy_wallet,
    token: row.token_id,
    condition: row.condition_id,
    event: row.event_slug,
    outcomeIndex: row.outcome_index,
    side: row.side,
    sizeMicros: Math.round(row.size * MICROS),
    priceMicros: Math.round(row.price * MICROS),
    timeS: row.timestamp,
    tx: row.transaction_hash,
    logIndex: null,
  };
}

/** Markets as Gamma and the resolutions tell them. */
async function marketsOf(venue: LocalVenue, conditions: ReadonlySet<string>): Promise<Map<string, TapeMarket>> {
  const closed = await listed(venue, [...conditions], true);
  const existing = new Set(closed.map((market) => market.conditionId));
  const open = await listed(
    venue,
    [...conditions].filter((id) => !existing.has(id)),
    false,
  );
  const resolutions = new Map<string, Json>();
  for (const ids of chunked([...conditions], 20)) {
    const { data } = await getJson(`${venue.dataUrl}/v2/resolutions?condition=${ids.join(',')}`);
    for (const row of data) resolutions.set(row.condition_id, row);
  }
  return new Map(
    [...closed, ...open].map((market) => [
      market.conditionId,
      toTapeMarket(market, resolutions.get(market.conditionId)),
    ]),
  );
}

async function listed(venue: LocalVenue, conditions: readonly string[], closed: boolean): Promise<Json[]> {
  const markets: Json[] = [];
  for (const ids of chunked(conditions, 100)) {
    const query = ids.map((id) => `condition_ids=${id}`).join('&');
    markets.push(...(await getJson(`${venue.gammaUrl}/markets?limit=100&closed=${closed}&${query}`)));
  }
  return markets;
}

function toTapeMarket(market: Json, resolution: Json | undefined): TapeMarket {
  const scheduled = market.gameStartTime ?? market.endDate;
  const slug = {
    slug: market.slug,
    seriesSlug: market.events[0].seriesSlug ?? '',
    outcomes: JSON.parse(market.outcomes),
  };
  return {
    condition: market.conditionId,
    event: market.events[0].slug,
    slug: market.slug,
    category: 'other',
    feeRateMicros: market.feesEnabled ? Math.round((market.feeSchedule?.rate ?? 0.05) * MICROS) : 0,
    upDown: isCryptoUpDown({ ...slug, isCrypto: String(market.feeType).startsWith('crypto') }),
    scheduledEndS: Date.parse(scheduled.replace(/\+00$/, 'Z')) / 1_000,
    resolvedAtS: resolution?.resolved_at === undefined ? null : Date.parse(resolution.resolved_at) / 1_000,
    payoutMicros: resolution?.payouts ?? null,
  };
}

function chunked<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
