import { isIP } from 'node:net';
import type { Address } from 'viem';
import { isAddress } from 'viem/utils';
import { z } from 'zod';
import { isDatabaseUrl } from '#domain/database-url';
import { toWallet } from '#domain/ids';
import { USDC_ON_BASE } from '#domain/payment/payment';
import { readCdpKey } from './cdp-key.js';

/** Each has two books, which are streamed to whoever asks. */
const DEMO_MARKETS_MAX = 5;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const fault = (error: string) => ({ error });

/**
 * A URL of one of these schemes, without user name, password or fragment, in the one spelling that
 * clients compare it in; blanks around it and slashes at its end are dropped.
 */
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => isPlainUrl(text, schemes),
      fault(`must be a ${schemes.join(' or ')} URL without user or fragment`),
    )
    .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** A fragment counts by its sign: an empty one would be in every URL that is made of this one. */
function isPlainUrl(text: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, username, password } = new URL(text);
  return schemes.includes(protocol.slice(0, -1)) && username === '' && password === '';
}

/** A URL that paths are written after. */
const rootUrl = url('http', 'https').refine(
  (text) => !text.includes('?'),
  fault('must be without a query: paths are added to it'),
);
/** A key may be in the query of one that is called as it is. */
const endpointUrl = url('http', 'https');
const socketUrl = url('ws', 'wss');

const commaSeparated = z.string().transform((text) => text.split(',').map((part) => part.trim()));

/** Comma-separated, in the order in which they are tried. */
const urlsOf = (one: typeof endpointUrl) =>
  commaSeparated
    .pipe(z.array(one))
    .refine((urls) => new Set(urls).size === urls.length, fault('names a URL twice'))
    .readonly()
    .default([]);

/** Addresses and networks, comma-separated. */
const networks = commaSeparated
  .pipe(
    z.array(
      z.string().refine(isNetwork, fault('must be IP addresses or networks like 10.0.0.0/8, separated by commas')),
    ),
  )
  .readonly()
  .default([]);

function isNetwork(text: string): boolean {
  const [ip = '', prefix, ...rest] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

const address = z
  .string()
  .refine(
    (text): text is Address => isAddress(text),
    fault('must be an EVM address: 0x, 40 hexadecimal digits, a valid checksum'),
  )
  .transform(toWallet);

const payee = address.refine(
  (wallet) => !/^0x0+$/.test(wallet),
  fault('must be an address that you can spend from: what is paid to the zero address is lost'),
);

const cdpKey = z
  .string()
  .transform(readCdpKey)
  .refine((key) => key !== null, fault('is neither an Ed25519 key (base64 of 64 bytes) nor an EC P-256 key in PEM'));

/** What is all digits and dots is an address, or a wrong one. */
function isHostName(text: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text) && !/^[\d.]+$/.test(text);
}

/** Where to listen. */
const host = z
  .string()
  .trim()
  .refine(
    (text) => isIP(text) !== 0 || isHostName(text),
    fault('must be an IP address like 127.0.0.1 or ::1, or a host name: no scheme, port, brackets or quotes'),
  )
  .default('127.0.0.1');

const portForm = z
  .string()
  .regex(/^\d{1,5}$/, fault('must be a whole number from 0 to 65535'))
  .transform(Number)
  .refine((value) => value <= 65_535, fault('must be a whole number from 0 to 65535'));

const port = portForm.default(4021);

const storeUrl = z
  .string()
  .refine(isDatabaseUrl, fault('must be empty or like postgres://user:password@host:5432/database'))
  .optional();

/** Slugs of markets, comma-separated. */
const marketSlugs = commaSeparated
  .pipe(
    z
      .array(z.string().regex(/^[A-Za-z0-9-]{1,200}$/, fault('must be slugs of markets, separated by commas')))
      .max(DEMO_MARKETS_MAX, fault(`must name at most ${DEMO_MARKETS_MAX} markets`)),
  )
  .refine((slugs) => new Set(slugs).size === slugs.length, fault('names a market twice'))
  .readonly()
  .default([]);

/** How this process is called among others on one store. */
const replicaId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, fault('must be 1 to 64 letters, digits, dots, dashes or underscores'))
  .optional();

/**
 * Form and default of every variable (docs/configuration.md, "Variables"). What a profile requires
 * is added by config.ts.
 */
export const EnvSchema = z.object({
  PREFLIGHT_PROFILE: z.enum(['local', 'live'], fault('must be local or live')),
  HOST: host,
  PORT: port,
  BASE_URL: rootUrl.optional(),
  TRUSTED_PROXIES: networks,
  METRICS_HOST: host,
  METRICS_PORT: portForm.optional(),
  WALLET_JOBS: z.enum(['on', 'off', 'auto'], fault('must be on, off or auto')).default('auto'),
  SCOREBOARD: z.enum(['on', 'off'], fault('must be on or off')).default('on'),
  DEMO_MARKETS: marketSlugs,
  DATA_DIR: z.string().default('./data'),
  KEYS_DIR: z.string().optional(),
  STORE_URL: storeUrl,
  REPLICA_ID: replicaId,
  VENUE_GAMMA_URL: rootUrl.optional(),
  VENUE_CLOB_URL: rootUrl.optional(),
  VENUE_WS_URL: socketUrl.optional(),
  VENUE_DATA_URL: rootUrl.optional(),
  VENUE_RTDS_URL: socketUrl.optional(),
  PAYEE_ADDRESS: payee.optional(),
  USDC_ADDRESS: address.prefault(USDC_ON_BASE),
  FACILITATOR_URLS: urlsOf(rootUrl),
  CDP_API_KEY_ID: z.string().optional(),
  CDP_API_KEY_SECRET: cdpKey.optional(),
  BASE_RPC_URLS: urlsOf(endpointUrl),
  EXPLORER_URL: rootUrl.default('https://basescan.org'),
  SUPPORT_EMAIL: z.email(fault('must be an e-mail address')).default('support@preflight.example'),
  LOG_LEVEL: z.enum(LOG_LEVELS, fault(`must be one of ${LOG_LEVELS.join(', ')}`)).default('info'),
});

export type EnvValues = z.infer<typeof EnvSchema>;
export type EnvName = keyof EnvValues;
