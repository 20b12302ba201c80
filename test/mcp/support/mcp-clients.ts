import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

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

interface ToolCall {
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

type Mode = 'legacy' | 'auto' | { readonly pin: string };

async function connect(url: string, mode: Mode, headers: Readonly<Record<string, string>>): Promise<Connected> {
  const client = new Client(ME, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  return {
    server: client.getServerVersion(),
    protocolVersion: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (call) => (await client.callTool(call)) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

async function connectEarly(url: string, headers: Readonly<Record<string, string>>): Promise<Connected> {
  const client = new EarlyClient(ME);
  const transport = new EarlyTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  // Its optional members are not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    server: client.getServerVersion(),
    protocolVersion: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (call) => (await client.callTool(call)) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

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
