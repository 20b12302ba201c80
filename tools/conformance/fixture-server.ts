import { createServer, type Server } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  isInitializeRequest,
  type LegacyHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { systemClock } from '#adapters/process/system-clock';
import { parseWallet } from '#domain/ids';
import { createMcpDoor } from '#mcp/mcp-handler';
import { createMcpServers, type NewMcpServer } from '#mcp/mcp-server';
import { RPC, rpcError } from '#mcp/rpc-error';
import { listen } from '#test/support/listen';
import { FIXTURES } from './fixtures.js';

const SUBSCRIPTIONS_MAX = 16;
const NO_SESSION = -32_001;

/**
 * The product's MCP handler with fixtures in its servers, in a server of its own that can stream.
 */
export interface FixtureServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts it on loopback. Nothing of the product is sold here: its own tools are listed, and answer
 * that they failed.
 */
export async function startFixtureServer(): Promise<FixtureServer> {
  const log = { debug: () => {}, error: () => {} };
  const terms = {
    baseUrl: 'http://127.0.0.1',
    payeeAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
    usdcAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  };
  const closed = () => Promise.reject(new Error('nothing is sold here'));
  const gate = { run: closed };
  const evaluations = {
    admit: closed,
    judge: () => {
      throw new Error('nothing is judged here');
    },
  };
  const credits = { authenticate: closed, balanceOf: closed };
  const usdc = parseWallet(terms.usdcAddress)!;
  const newServer = createMcpServers(
    { gate, credits, evaluations, terms, usdc, purchaseSecrets: { issue: () => 'secret' }, log, clock: systemClock },
    FIXTURES,
  );
  const legacy = withSessions(newServer);
  const handle = createMcpDoor({ newServer, baseUrl: terms.baseUrl, log, legacy, subscriptionsMax: SUBSCRIPTIONS_MAX });
  const fetch = async (request: Request) => {
    const body = request.method === 'POST' ? await request.json().catch(() => undefined) : undefined;
    if (request.method === 'POST' && body === undefined) return rpcError(400, RPC.PARSE_ERROR, 'the body is not JSON');
    return handle(request, body);
  };
  const node = toNodeHandler({ fetch });
  // Its optional members are not written for exactOptionalPropertyTypes.
  const server = createServer((req, res) => void node(req as Parameters<typeof node>[0], res));
  return { url: `http://127.0.0.1:${await listen(server)}/mcp`, stop: () => stop(server) };
}

/**
 * The revisions of 2025 let a tool ask its client something, which only a session can carry. The
 * product's tools ask nothing and have no sessions; these fixtures do.
 */
function withSessions(newServer: NewMcpServer): LegacyHttpHandler {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request, options) => {
    const existing = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (existing !== undefined) return existing.handleRequest(request, options);
    if (!isInitializeRequest(options?.parsedBody)) return rpcError(404, NO_SESSION, 'there is no such session');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await newServer().connect(transport);
    return transport.handleRequest(request, options);
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
