import { EnvSchema, type EnvValues } from './env-schema.js';

/** Where the venue is; no URL ends in a slash. */
export interface VenueUrls {
  readonly gammaUrl: string;
  readonly clobUrl: string;
  readonly wsUrl: string;
  readonly dataUrl: string;
  readonly rtdsUrl: string;
}

/** The real venue. */
export const POLYMARKET = {
  VENUE_GAMMA_URL: 'https://gamma-api.polymarket.com',
  VENUE_CLOB_URL: 'https://clob.polymarket.com',
  VENUE_WS_URL: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
  VENUE_DATA_URL: 'https://data-api.polymarket.com',
  VENUE_RTDS_URL: 'wss://ws-live-data.polymarket.com',
} as const;

const VenueSchema = EnvSchema.pick({
  VENUE_GAMMA_URL: true,
  VENUE_CLOB_URL: true,
  VENUE_WS_URL: true,
  VENUE_DATA_URL: true,
  VENUE_RTDS_URL: true,
}).required();

/**
 * Returns where the venue is, for commands that need nothing else of the environment: what it does
 * not name is Polymarket's. Throws an error with all faults.
 */
export function readVenueUrls(env: Readonly<Record<string, string | undefined>>): VenueUrls {
  const given = Object.entries(env).filter(([name, value]) => name in POLYMARKET && value?.trim());
  const parsed = VenueSchema.safeParse({ ...POLYMARKET, ...Object.fromEntries(given) });
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join('; '));
  }
  return toVenueUrls(parsed.data);
}

/** Returns the URLs of an environment that has been checked to name all five. */
export function toVenueUrls(values: Pick<EnvValues, keyof typeof POLYMARKET>): VenueUrls {
  return {
    gammaUrl: values.VENUE_GAMMA_URL!,
    clobUrl: values.VENUE_CLOB_URL!,
    wsUrl: values.VENUE_WS_URL!,
    dataUrl: values.VENUE_DATA_URL!,
    rtdsUrl: values.VENUE_RTDS_URL!,
  };
}
