import { agentJson } from './agent-json.js';
import { authMd } from './auth-md.js';
import { aiCatalog, serverCards, x402Resources } from './catalogs.js';
import type { CompanionConfig, CompanionFile } from './companion-file.js';
import { favicon } from './favicon.js';
import { llmsTxt } from './llms-txt.js';
import { openApi } from './openapi.js';
import { pricingMd } from './pricing-md.js';

/** Returns every document that describes the service, as it is served. /status.json is not one of them: it is live. */
export function companionFiles(config: CompanionConfig): readonly CompanionFile[] {
  return [
    llmsTxt(config),
    agentJson(config),
    openApi(config),
    authMd(config),
    pricingMd(config),
    ...serverCards(config),
    aiCatalog(config),
    x402Resources(config),
    favicon(),
  ];
}
