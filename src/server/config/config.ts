import { maskedUrl } from '#domain/database-url';
import type { WalletAddress } from '#domain/ids';
import { toChecksum } from './checksum.js';
import { type EnvName, EnvSchema, type EnvValues } from './env-schema.js';
import { POLYMARKET, toVenueUrls, type VenueUrls } from './venue-urls.js';

/** The environment variables of a process. An empty string counts as unset. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Everything an operator decides (docs/configuration.md, "Variables"). URLs do not end in a slash,
 * addresses are checksummed.
 */
export interface Config extends Readonly<ReturnType<typeof toConfig>> {
  readonly venue: VenueUrls;
  /** Who is paid. */
  readonly payee: WalletAddress;
}

/** The config of `npm start`: null is what the embedded venue and chain supply. */
export type LocalConfig = Omit<Config, 'venue' | 'payee'> & {
  readonly venue: VenueUrls | null;
  readonly payee: WalletAddress | null;
};

/** Settings are wrong or missing. `faults` has one line for each, saying what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`the configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n- ${faults.join('\n- ')}`);
  }
}

const VENUE_NAMES = Object.keys(POLYMARKET) as (keyof typeof POLYMARKET)[];
const LIVE_NAMES = ['BASE_URL', 'PAYEE_ADDRESS', 'FACILITATOR_URLS', 'BASE_RPC_URLS', 'SUPPORT_EMAIL'] as const;
const OWN_PREFIX = 'PREFLIGHT_';
/**
 * What callers set for the client and its command: the same shell may start a service too. Not
 * read here.
 */
export const CLIENT_NAMES: ReadonlySet<string> = new Set([
  'PREFLIGHT_URL',
  'PREFLIGHT_HOME',
  'PREFLIGHT_KEY_FILE',
  'PREFLIGHT_PRIVATE_KEY',
  'PREFLIGHT_TOKEN_FILE',
  'PREFLIGHT_TOKEN',
]);

/**
 * Returns the settings of the service. `PREFLIGHT_PROFILE` is `live` unless set; in `local` the
 * environment has to name the venue and the payee, because nothing is embedded here. Throws one
 * ConfigError with all faults.
 */
export function readConfig(env: Env): Config {
  const given = withoutEmpty(env);
  const local = given.PREFLIGHT_PROFILE === 'local';
  const defaults = local ? {} : POLYMARKET;
  const required = local ? [...VENUE_NAMES, 'PAYEE_ADDRESS' as const] : LIVE_NAMES;
  const hint = local ? 'is required outside `npm start`, which embeds one' : 'is required in the profile live';
  const faults = [...missing(given, required, hint), ...(local ? [] : openBaseUrl(given.BASE_URL))];
  const values = parse({ PREFLIGHT_PROFILE: 'live', ...defaults, ...given }, faults);
  return { ...toConfig(values), venue: toVenueUrls(values), payee: values.PAYEE_ADDRESS! };
}

/**
 * Returns the settings of `npm start`, where what the environment does not name about the outside
 * is null. A venue is given by all of its five URLs or by none. Throws one ConfigError with all
 * faults.
 */
export function readLocalConfig(env: Env): LocalConfig {
  const given = withoutEmpty(env);
  const faults =
    given.PREFLIGHT_PROFILE === 'live' ? ['PREFLIGHT_PROFILE is live: start dist/bundle/service/main.cjs'] : [];
  const named = VENUE_NAMES.some((name) => name in given);
  if (named) faults.push(...missing(given, VENUE_NAMES, 'is required beside the other VENUE_ URLs'));
  const values = parse({ PREFLIGHT_PROFILE: 'local', ...given }, faults);
  return { ...toConfig(values), venue: named ? toVenueUrls(values) : null, payee: values.PAYEE_ADDRESS ?? null };
}

/**
 * Returns the settings as they may be logged: secrets are masked, and of RPC URLs (whose paths hold
 * keys) only the origin is shown.
 */
export function describeConfig(config: LocalConfig): Record<string, unknown> {
  return {
    ...config,
    payee: config.payee === null ? null : toChecksum(config.payee),
    usdc: toChecksum(config.usdc),
    storeUrl: config.storeUrl === null ? null : maskedUrl(config.storeUrl),
    cdpKey: config.cdpKey === null ? null : { id: config.cdpKey.id, secret: '***' },
    facilitatorUrls: config.facilitatorUrls.map(originOnly),
    baseRpcUrls: config.baseRpcUrls.map(originOnly),
  };
}

function originOnly(url: string): string {
  const { origin } = new URL(url);
  return origin === url ? url : `${origin}/***`;
}

function withoutEmpty(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]?.trim()));
}

/** Terms of payment and tokens go over this address: only on this machine may others read along. */
function openBaseUrl(baseUrl: string | undefined): string[] {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return [];
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.[0-9.]+$/.test(hostname);
  if (protocol !== 'http:' || isLoopback) return [];
  return ['BASE_URL must be https in the profile live, except on loopback'];
}

function missing(given: Env, names: readonly EnvName[], hint: string): string[] {
  return names.filter((name) => !(name in given)).map((name) => `${name} ${hint}`);
}

/**
 * Parses form and relations; `faults` are those already found. Only names and rules are reported,
 * never a value.
 */
function parse(given: Env, faults: readonly string[]): EnvValues {
  const isKnown = (name: string) => name in EnvSchema.shape || CLIENT_NAMES.has(name);
  const unknown = Object.keys(given).filter((name) => name.startsWith(OWN_PREFIX) && !isKnown(name));
  const found = [...faults, ...unknown.map((name) => `${name} is not known: remove it or correct its spelling`)];
  if ('CDP_API_KEY_ID' in given !== 'CDP_API_KEY_SECRET' in given) {
    found.push('CDP_API_KEY_ID and CDP_API_KEY_SECRET go together: set both or neither');
  }
  if (Number(given.PORT) === 0 && !('BASE_URL' in given)) found.push('BASE_URL is required if PORT is 0');
  const parsed = EnvSchema.safeParse(given);
  if (parsed.success) found.push(...contradictionsIn(parsed.data));
  if (!parsed.success) found.push(...parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`));
  if (!parsed.success || found.length > 0) throw new ConfigError(found);
  return parsed.data;
}

function contradictionsIn(values: EnvValues): readonly string[] {
  return [
    isOneAddress(values) ? 'METRICS_PORT must be another than PORT' : null,
    values.PAYEE_ADDRESS === values.USDC_ADDRESS
      ? 'PAYEE_ADDRESS must be an address that you can spend from: it is USDC_ADDRESS, the contract of the token'
      : null,
  ].filter((fault) => fault !== null);
}

/** Two servers cannot listen at one address; one that listens at all of them has each. */
function isOneAddress({ PORT, METRICS_PORT, HOST, METRICS_HOST }: EnvValues): boolean {
  if (PORT === 0 || PORT !== METRICS_PORT) return false;
  return HOST === METRICS_HOST || [HOST, METRICS_HOST].some((host) => host === '0.0.0.0' || host === '::');
}

function toConfig(values: EnvValues) {
  const { CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: signing } = values;
  return {
    profile: values.PREFLIGHT_PROFILE,
    host: values.HOST,
    port: values.PORT,
    /** The public address: every URL that the service writes starts with it. */
    baseUrl: values.BASE_URL ?? `http://${publicHost(values.HOST)}:${values.PORT}`,
    /** Proxies whose X-Forwarded-For is believed: addresses and networks (CIDR). */
    trustedProxies: values.TRUSTED_PROXIES,
    dataDir: values.DATA_DIR,
    /**
     * Where the keys are that tokens, promo codes and evidence are made with; replicas have one
     * set.
     */
    keysDir: values.KEYS_DIR ?? values.DATA_DIR,
    /** The PostgreSQL database that replicas share; null: the embedded store in `dataDir`. */
    storeUrl: values.STORE_URL ?? null,
    /** What this process is called among others on the store; null: its lease names it. */
    replicaId: values.REPLICA_ID ?? null,
    /** Where operators' metrics are served; null: nowhere. */
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    /**
     * Whether this process records trades and rates: the board at night and, from a shared store,
     * wallets that are queued. `auto`: what its tape is good for, among those that share the store.
     */
    walletJobs: values.WALLET_JOBS,
    /** Whether this process may judge orders of its own, to count what becomes of verdicts. */
    isScoreboardOn: values.SCOREBOARD === 'on',
    /** The token that is paid in. */
    usdc: values.USDC_ADDRESS,
    /** In the order in which they are tried; may be empty in `local`. */
    facilitatorUrls: values.FACILITATOR_URLS,
    cdpKey: id === undefined || signing === undefined ? null : { id, ...signing },
    /** As `facilitatorUrls`. */
    baseRpcUrls: values.BASE_RPC_URLS,
    /** Where a person can look a transaction up, under /tx/. */
    explorerUrl: values.EXPLORER_URL,
    /** Slugs of the markets that anybody may watch for free. */
    demoMarkets: values.DEMO_MARKETS,
    supportEmail: values.SUPPORT_EMAIL,
    logLevel: values.LOG_LEVEL,
  };
}

/** A wildcard is no address to call: this machine stands in for it. IPv6 goes into brackets. */
function publicHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
