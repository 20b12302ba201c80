import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlyHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown> | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
}

/** What a tool answers. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes.
  readonly structuredContent: any;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool with what it is called with. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** An official client that is connected. */
export interface Connected {
  /** What the server says of itself. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  tools(): Promise<readonly ListedTool[]>;
  call(call: ToolCall): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** An official client, in one era of the protocol. */
export interface McpClient {
  readonly name: string;
  readonly protocolVersion: string;
  connect(url: string, headers?: Readonly<Record<string, string>>): Promise<Connected>;
}

const ME = { name: 'preflight-tests', version: '1.0.0' };

/** How the newer client settles on a revision. */
export type Mode = 'legacy' | 'auto' | { readonly pin: string };
type Transport = Parameters<Client['connect']>[0];
type EarlyTransport = Parameters<EarlyClient['connect']>[0];

/** Connects the newer client. `faults` gets what it could not read. */
export async function connectOver(transport: Transport, mode: Mode, faults: string[] = []): Promise<Connected> {
  const client = new Client(ME, { versionNegotiation: { mode } });
  client.onerror = ({ message }) => void faults.push(message);
  await client.connect(transport);
  return { ...toConnected(client), protocolVersion: client.getNegotiatedProtocolVersion() };
}

/**
 * Connects the older client. Its transports have optional members that are not written for
 * exactOptionalPropertyTypes.
 */
export async function connectEarlyOver(
  transport: { readonly protocolVersion?: string | undefined },
  faults: string[] = [],
): Promise<Connected> {
  const client = new EarlyClient(ME);
  client.onerror = ({ message }) => void faults.push(message);
  await client.connect(transport as EarlyTransport);
  return { ...toConnected(client), protocolVersion: transport.protocolVersion };
}

function toConnected(client: Client | EarlyClient): Omit<Connected, 'protocolVersion'> {
  return {
    server: client.getServerVersion(),
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (call) => (await client.callTool(call)) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

const connect = (url: string, mode: Mode, headers: Readonly<Record<string, string>>) =>
  connectOver(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }), mode);
const connectEarly = (url: string, headers: Readonly<Record<string, string>>) =>
  connectEarlyOver(new EarlyHttpTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));

/** The official clients, in both eras. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'client 2.4 pinned to 2026-07-28',
    protocolVersion: '2026-07-28',
    connect: (url, headers = {}) => connect(url, { pin: '2026-07-28' }, headers),
  },
  {
    name: 'client 2.4 that negotiates',
    protocolVersion: '2026-07-28',
    connect: (url, headers = {}) => connect(url, 'auto', headers),
  },
  {
    name: 'client 2.4 in the 2025 era',
    protocolVersion: '2025-11-25',
    connect: (url, headers = {}) => connect(url, 'legacy', headers),
  },
  { name: 'sdk 1.32', protocolVersion: '2025-11-25', connect: (url, headers = {}) => connectEarly(url, headers) },
];
