import { ENDPOINTS, soldAt } from '#api/endpoints';
import { MCP_FACTS, MCP_PATH, mcpServerName } from '#api/mcp-facts';
import { type DiscoveryConfig, type DiscoveryFile, jsonFile } from './discovery-file.js';
import { JWKS_PATH } from './jwks.js';

/** Where MCP clients look for the card of a server: beside its address, and at the host's root. */
export const CARD_PATHS = ['/.well-known/mcp/server-card.json', `${MCP_PATH}/server-card`] as const;
const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';

/**
 * The MCP server card (SEP-2127) for one of its places: how to connect, never what tools there are.
 */
export function serverCard(
  path: (typeof CARD_PATHS)[number],
  { baseUrl, evidenceKeys }: DiscoveryConfig,
): DiscoveryFile {
  const name = mcpServerName(baseUrl);
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name,
    version: MCP_FACTS.version,
    description: MCP_FACTS.description,
    title: MCP_FACTS.title,
    websiteUrl: `${baseUrl}/llms.txt`,
    icons: [{ src: `${baseUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [
      {
        type: 'streamable-http',
        url: baseUrl + MCP_PATH,
        supportedProtocolVersions: MCP_FACTS.protocolVersions,
        headers: [
          {
            name: 'Authorization',
            description: 'Bearer token with prepaid credits. Without one a live call returns its payment terms.',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
    _meta: {
      [`${name.split('/')[0]}/evidence`]: { kid: evidenceKeys.current().kid, keys: `${baseUrl}${JWKS_PATH}` },
    },
  };
  return jsonFile(path, card, CARD_TYPE);
}

/** /.well-known/ai-catalog.json: what can be discovered at this host. */
export function aiCatalog({ baseUrl }: DiscoveryConfig): DiscoveryFile {
  const { hostname } = new URL(baseUrl);
  const catalog = {
    specVersion: '1.0',
    host: { displayName: MCP_FACTS.title, documentationUrl: `${baseUrl}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:preflight`,
        displayName: `${MCP_FACTS.title} MCP server`,
        type: CARD_TYPE,
        url: baseUrl + CARD_PATHS[0],
        description: MCP_FACTS.description,
      },
      {
        identifier: `urn:air:${hostname}:api:preflight`,
        displayName: `${MCP_FACTS.title} REST API`,
        type: 'application/vnd.oai.openapi+json',
        url: `${baseUrl}/openapi.json`,
        description: 'Paid per call with x402 or from prepaid credits.',
      },
    ],
  };
  return jsonFile('/.well-known/ai-catalog.json', catalog, CATALOG_TYPE);
}

/** /.well-known/x402: the paid endpoints, for indexes that do not read OpenAPI. */
export function x402Resources({ baseUrl }: DiscoveryConfig): DiscoveryFile {
  const paid = ENDPOINTS.filter((endpoint) => soldAt(endpoint) !== null).map(({ path }) => baseUrl + path);
  return jsonFile('/.well-known/x402', {
    version: 1,
    resources: [...new Set(paid)],
    instructions: `Read ${baseUrl}/openapi.json for methods, parameters and prices, ${baseUrl}/llms.txt for everything else.`,
  });
}
