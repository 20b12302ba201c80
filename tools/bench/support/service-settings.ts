import { walletOf } from '#local/venue/market/deterministic-ids';
import type { VenueFacts } from '../http-server.js';

/** Gets all credits of a benchmark, and what is paid. */
export const WALLET = walletOf('benchmark');

/** Returns the environment of a service on a data directory beside the simulated venue. */
export function serviceSettings(dataDir: string, venue: VenueFacts): Record<string, string> {
  return {
    PREFLIGHT_PROFILE: 'local',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1',
    DATA_DIR: dataDir,
    VENUE_GAMMA_URL: venue.gammaUrl,
    VENUE_CLOB_URL: venue.clobUrl,
    VENUE_DATA_URL: venue.dataUrl,
    VENUE_WS_URL: venue.wsUrl,
    VENUE_RTDS_URL: venue.wsUrl,
    PAYEE_ADDRESS: WALLET,
  };
}
