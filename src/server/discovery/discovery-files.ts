import { agentJson } from './agent-json.js';
import { authMd } from './auth-md.js';
import { aiCatalog, CARD_PATHS, serverCard, x402Resources } from './catalogs.js';
import type { DiscoveryConfig, DiscoveryFile } from './discovery-file.js';
import { favicon } from './favicon.js';
import { JWKS_PATH, jwks } from './jwks.js';
import { llmsTxt } from './llms-txt.js';
import { openApi } from './openapi/openapi.js';
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
    { path: '/favicon.svg', make: favicon },
  ];
  return documents.map((document) => ({ ...document, version: () => config.evidenceKeys.version() }));
}

/** Returns every document as it is served. */
export function discoveryFiles(config: DiscoveryConfig): readonly DiscoveryFile[] {
  return discovery(config).map(({ make }) => make());
}
