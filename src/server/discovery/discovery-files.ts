import { clientInstall } from '#api/client-package';
import { ENDPOINTS, soldAt } from '#api/endpoints';
import { MCP_FACTS, MCP_PATH, PRODUCT_VERSION } from '#api/mcp-facts';
import { paymentOffer } from '#api/operations';
import { CREDIT_PACK, GUARDRAILS, PRICES, TOOLS, toPriceText } from '#api/prices';
import { API_VERSION, INTERFACE_VERSION } from '#api/version';
import { BASE_NETWORK } from '#domain/payment/payment';
import { REFUSALS } from '#domain/refusals/refusals';
import { aiCatalog, CARD_PATHS, serverCard, x402Resources } from './catalogs.js';
import {
  CACHE_S,
  type DiscoveryConfig,
  type DiscoveryFile,
  jsonFile,
  LONG_CACHE_S,
  MARKDOWN,
  TEXT,
} from './discovery-file.js';
import { JWKS_PATH, jwks } from './jwks.js';
import { llmsTxt } from './llms-txt.js';
import { openApi } from './openapi/openapi.js';
import { creditSteps, guardrailList, lostTokenText, payeeList, perCallSteps, promoText } from './payment-texts.js';
import { pricingMd } from './pricing-md.js';

/**
 * A document that is made when it is first asked for: the longest takes as long as hundreds of
 * verdicts.
 */
export interface DiscoveryDocument {
  readonly path: string;
  readonly make: () => DiscoveryFile;
  /** It is made anew when this changes. */
  readonly version: () => string;
}

/**
 * Returns every document that describes the service. /status.json is not one of them: it is live.
 */
export function discovery(config: DiscoveryConfig): readonly DiscoveryDocument[] {
  const documents = [
    { path: '/llms.txt', make: () => llmsTxt(config) },
    { path: '/agent.json', make: () => agentJson(config) },
    { path: '/openapi.json', make: () => openApi(config) },
    { path: '/auth.md', make: () => authMd(config) },
    { path: '/pricing.md', make: () => pricingMd(config) },
    ...CARD_PATHS.map((path) => ({ path, make: () => serverCard(path, config) })),
    { path: '/.well-known/ai-catalog.json', make: () => aiCatalog(config) },
    { path: '/.well-known/x402', make: () => x402Resources(config) },
    { path: JWKS_PATH, make: () => jwks(config) },
    { path: REFUSALS_PATH, make: refusalsJson },
    { path: '/favicon.svg', make: favicon },
    { path: '/robots.txt', make: robotsTxt },
  ];
  return documents.map((document) => ({ ...document, version: () => config.evidenceKeys.version() }));
}

/** Returns every document as it is served. */
export function discoveryFiles(config: DiscoveryConfig): readonly DiscoveryFile[] {
  return discovery(config).map(({ make }) => make());
}

const REFUSALS_PATH = '/refusals.json';

/** /agent.json: the manifest, for agents that want facts and no prose. */
function agentJson(config: DiscoveryConfig): DiscoveryFile {
  const { baseUrl, payeeAddress, usdcAddress, supportEmail, clientIntegrity } = config;
  return jsonFile('/agent.json', {
    name: MCP_FACTS.title,
    description: MCP_FACTS.description,
    version: PRODUCT_VERSION,
    api_version: API_VERSION,
    interface_version: INTERFACE_VERSION,
    url: baseUrl,
    contact: supportEmail,
    documents: {
      spec: `${baseUrl}/llms.txt`,
      openapi: `${baseUrl}/openapi.json`,
      auth: `${baseUrl}/auth.md`,
      pricing: `${baseUrl}/pricing.md`,
      status: `${baseUrl}/status.json`,
    },
    mcp: { url: baseUrl + MCP_PATH, transport: 'streamable-http', card: `${baseUrl}/.well-known/mcp/server-card.json` },
    payment: {
      protocol: 'x402',
      versions: [2, 1],
      scheme: 'exact',
      network: BASE_NETWORK,
      asset: usdcAddress,
      asset_symbol: 'USDC',
      asset_decimals: 6,
      payTo: payeeAddress,
    },
    credits: {
      pack: CREDIT_PACK,
      costs: Object.fromEntries(TOOLS.map((tool) => [tool, PRICES[tool].credits])),
      header: 'Authorization: Bearer <token>',
    },
    endpoints: ENDPOINTS.map((endpoint) => toEntry(endpoint, config)),
    guardrails: { ...GUARDRAILS, pay_only_under: baseUrl, pay_to_only: payeeAddress, network_only: BASE_NETWORK },
    evidence: {
      parameter: 'evidence=1',
      kid: config.evidenceKeys.current().kid,
      keys: `${baseUrl}${JWKS_PATH}`,
    },
    ...(clientIntegrity === null ? {} : { client: { install: clientInstall(baseUrl), integrity: clientIntegrity } }),
    free: { sandbox: 'sandbox=1', terms: 'x402_probe=1' },
  });
}

function toEntry(endpoint: (typeof ENDPOINTS)[number], config: DiscoveryConfig) {
  const { operationId, method, path, summary, payment } = endpoint;
  const sold = soldAt(endpoint);
  const price = sold === null ? null : toPriceText(paymentOffer(sold, config).amountMicros);
  return {
    id: operationId,
    method,
    url: config.baseUrl + path,
    summary,
    price_usdc: price,
    credits: payment.kind === 'per_call' ? PRICES[payment.tool].credits : null,
  };
}

/**
 * /auth.md: payment is the authentication, and the wallet is the identity
 * (docs/interface-paying.md, "Authentication").
 */
function authMd(config: DiscoveryConfig): DiscoveryFile {
  const parts = [
    '# Authentication',
    'Payment is the authentication and the wallet is the identity. There are no accounts, no API keys to apply for and no OAuth; no answer ' +
      'carries a WWW-Authenticate challenge. Three lanes lead to the same answers.',
    '## Lane 1: pay per call (x402)',
    perCallSteps(),
    payeeList(config),
    '## Lane 2: prepaid credits (bearer token)',
    creditSteps(),
    '## Lane 3: promotional credits',
    promoText(),
    '## Without any of them',
    '`sandbox=1` returns a free example of each tool, `x402_probe=1` its payment terms. A live call without payment or token is answered with 402.',
    '## Rules for your own code',
    guardrailList(config),
    '## A lost token',
    lostTokenText(config),
    '## If a token has leaked',
    'Ask for five new tokens as above: they end all older ones that were bought. Or write to ' +
      `${config.supportEmail} with a message signed by the wallet: its tokens are then revoked.`,
  ];
  return { path: '/auth.md', contentType: MARKDOWN, body: `${parts.join('\n\n')}\n`, cacheSeconds: CACHE_S };
}

/** /refusals.json: the texts with which the venue refuses orders, what each means and what to change. */
function refusalsJson(): DiscoveryFile {
  return jsonFile(REFUSALS_PATH, { refusals: REFUSALS });
}

/** A check mark on a dark square. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Preflight">' +
  '<rect width="32" height="32" rx="7" fill="#14213d"/>' +
  '<path d="M8 17l5.5 5.5L24.5 10" fill="none" stroke="#7ae582" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/** Directories of paid endpoints show it too. */
function favicon(): DiscoveryFile {
  return { path: '/favicon.svg', contentType: 'image/svg+xml', body: SVG, cacheSeconds: LONG_CACHE_S };
}

/** /robots.txt: all may be read but streams, which do not end. */
function robotsTxt(): DiscoveryFile {
  const body = '# Programs: /llms.txt\nUser-agent: *\nDisallow: /demo/books/\n';
  return { path: '/robots.txt', contentType: TEXT, body, cacheSeconds: LONG_CACHE_S };
}
