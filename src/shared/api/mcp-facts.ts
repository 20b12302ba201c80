/** Where the MCP server is, by streamable HTTP. */
export const MCP_PATH = '/mcp';

/**
 * Where a client puts the key of one call, in `_meta`: a header stands for a whole connection. It
 * goes before the header Idempotency-Key.
 */
export const IDEMPOTENCY_META = 'preflight/idempotency-key';

/** Version of this software, as MCP clients and the server card see it; that of package.json. */
export const PRODUCT_VERSION = '0.1.0';

/** What the MCP server says of itself, in initialize, in server/discover and on its server card. */
export const MCP_FACTS = {
  title: 'Preflight',
  version: PRODUCT_VERSION,
  /** At most 100 characters: directories cut it there. */
  description: 'Checks before money moves on Polymarket: judge an order on the live book, judge a wallet to copy.',
  /** Revisions of the protocol that are answered on the one path, newest first. */
  protocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
} as const;

/**
 * Returns the server's name for registries: the host backwards, one slash, the product. It follows
 * the public address, because a registry takes a name only from the holder of the domain. An IP
 * address has no such name: there it is "localhost".
 *
 * @example mcpServerName('https://preflight.example'); // 'example.preflight/preflight'
 */
export function mcpServerName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return `${isAddress ? 'localhost' : hostname.split('.').reverse().join('.')}/preflight`;
}
