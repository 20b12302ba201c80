import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { createPolymarketData, DATA_BUDGET, DATA_LIMITS } from '#adapters/polymarket/data';
import { createMarketFacts } from '#adapters/polymarket/market-facts';
import { systemClock } from '#adapters/process/system-clock';
import type { VenueUrls } from '#config/venue-urls';
import type { ChainTrades, TokenOutcomes } from '#ports/chain-trades';
import type { Tape } from '#ports/tape';
import type { MarketFacts, TradeSource } from '#ports/trade-source';
import type { Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';

export { markWhole } from '#services/tape/whole-spans';

/** Small questions that the venue answers at any time. */
export const GAMMA_PROBES = ['/markets?limit=1'];
export const CLOB_PROBES = ['/time'];
/** The first version may be gone, and the second one is not there yet everywhere. */
const DATA_PROBES = ['/v2/trades?limit=1', '/trades?limit=1'];

/** Returns where the tape of a data directory is. */
export function tapePath(dataDir: string): string {
  return join(dataDir, 'tape');
}

export function hasTape(dataDir: string): boolean {
  return existsSync(tapePath(dataDir));
}

/** The tape of a data directory. Close it when done. */
export interface TapeModule {
  readonly tape: Tape;
  readonly clock: Clock;
}

/**
 * Opens (or makes) the tape of a data directory. The service and the operator's commands may do so
 * at the same time. DuckDB is loaded here and not before: the other commands of the same program
 * start without it.
 */
export async function openTapeModule(dataDir: string): Promise<TapeModule> {
  const { openTape } = await import('#adapters/tape/tape');
  return { tape: await openTape({ dir: tapePath(dataDir) }), clock: systemClock };
}

/** Where trades and markets come from. */
export interface TapeSources {
  readonly source: TradeSource;
  readonly facts: MarketFacts & TokenOutcomes;
  readonly upstreams: readonly Upstream[];
}

/**
 * Returns the venue's sources of trades and markets. The tape has its own ways to them: a job must
 * not use up what verdicts wait for.
 */
export function openTapeSources(venue: VenueUrls, clock: Clock): TapeSources {
  const patient = { clock, budget: DATA_BUDGET, limits: DATA_LIMITS };
  const data = createHttpJson({
    ...patient,
    upstream: 'data-api',
    baseUrl: venue.dataUrl,
    probePaths: DATA_PROBES,
  });
  const gamma = createHttpJson({
    ...patient,
    upstream: 'gamma-tape',
    baseUrl: venue.gammaUrl,
    probePaths: GAMMA_PROBES,
  });
  const clob = createHttpJson({
    clock,
    budget: CATALOG_BUDGET,
    upstream: 'clob-tape',
    baseUrl: venue.clobUrl,
    probePaths: CLOB_PROBES,
  });
  return {
    source: createPolymarketData({ data, clock }),
    facts: createMarketFacts({ gamma, clob, data, clock }),
    upstreams: [data, gamma, clob],
  };
}

/**
 * Returns the trades of the exchange contracts, by an RPC endpoint of Polygon. viem is loaded for
 * those alone who want it.
 */
export async function openChainTrades(rpcUrl: string, outcomes: TokenOutcomes): Promise<ChainTrades> {
  const { createOrderFilledLogs } = await import('#adapters/chain/order-filled-logs');
  return createOrderFilledLogs({ rpcUrl, outcomes });
}
