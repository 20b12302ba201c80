import type { IncomingMessage, ServerResponse } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import helmet from 'helmet';
import { API_VERSION } from '#api/version';
import type { HeaderPairs } from '#doors/route';

/** The form and the cache rule of an answer that does not name its own. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_STORE = 'private, no-store';

/**
 * Any origin may call: there are no cookies, and wallets live in browsers. A preflight allows what
 * it asks for: the official payment clients send `Access-Control-Expose-Headers` with their
 * requests, and no list would hold what the next one sends.
 */
export const CORS: CorsOptions = {
  origin: '*',
  exposedHeaders: [
    'PAYMENT-REQUIRED',
    'PAYMENT-RESPONSE',
    'X-PAYMENT-RESPONSE',
    'Idempotent-Replayed',
    'Age',
    'Retry-After',
    'X-API-Version',
    'X-Request-Id',
  ],
  maxAge: 7_200,
  optionsSuccessStatus: 200,
  preflightContinue: true,
};

/**
 * The part of helmet that means something for JSON: a browser that is shown an answer must do
 * nothing with it.
 */
const secure = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  dnsPrefetchControl: false,
  frameguard: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  referrerPolicy: false,
  xssFilter: false,
});

/**
 * The headers that every answer has. What helmet and cors set does not depend on the request, so
 * they are asked once, at start: as middleware they would cost more than the rest of the hot route.
 */
export const COMMON_HEADERS: HeaderPairs = [
  'X-API-Version',
  API_VERSION,
  ...record((req, res) => secure(req, res, () => undefined)),
  ...record((req, res) => cors(CORS)(req, res, () => undefined)),
];

/**
 * A page may run its own scripts and talk to where it came from, and nothing else. These stand in
 * the place of the common headers: a second policy beside the first would not loosen it, both would
 * hold.
 */
const securePage = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
    },
  },
  crossOriginEmbedderPolicy: false,
  // A wallet may open a window of its own.
  crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  dnsPrefetchControl: false,
  frameguard: false,
  ieNoOpen: false,
  permittedCrossDomainPolicies: false,
  referrerPolicy: { policy: 'no-referrer' },
  xssFilter: false,
});

/** What a browser could be asked for and these pages never ask for. */
const PERMISSIONS_POLICY = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

export const PAGE_HEADERS: HeaderPairs = [
  'X-API-Version',
  API_VERSION,
  ...record((req, res) => securePage(req, res, () => undefined)),
  'Permissions-Policy',
  PERMISSIONS_POLICY,
];

/** Returns what a middleware sets on the answer to a plain GET. */
function record(middleware: (req: IncomingMessage, res: ServerResponse) => void): string[] {
  const pairs: string[] = [];
  const res = { setHeader: (name: string, value: string) => pairs.push(name, value), removeHeader: () => undefined };
  middleware({ method: 'GET', headers: {} } as IncomingMessage, res as unknown as ServerResponse);
  return pairs;
}
