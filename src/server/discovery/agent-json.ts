import { ENDPOINTS, soldAt } from '#api/endpoints';
import { MCP_FACTS, MCP_PATH, PRODUCT_VERSION } from '#api/mcp-facts';
import { paymentOffer } from '#api/operations';
import { CREDIT_PACK, GUARDRAILS, PRICES, TOOLS, toPriceText } from '#api/prices';
import { API_VERSION, INTERFACE_VERSION } from '#api/version';
import { BASE_NETWORK } from '#domain/payment/payment';
import { type DiscoveryConfig, type DiscoveryFile, jsonFile } from './discovery-file.js';
import { JWKS_PATH } from './jwks.js';

/** /agent.json: the manifest, for agents that want facts and no prose. */
export function agentJson(config: DiscoveryConfig): DiscoveryFile {
  const { baseUrl, payeeAddress, usdcAddress, supportEmail } = config;
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
