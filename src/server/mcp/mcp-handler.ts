import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  type LegacyHttpHandler,
  type McpServer,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { withoutNullParams } from '#api/mcp-params';
import type { Log } from '#ports/log';
import type { NewMcpServer } from './mcp-server.js';
import { requestFault } from './request-fault.js';
import { idOf, RPC, rpcError } from './rpc-error.js';

/** One JSON-RPC message in, one out. The body was read before; the request has the rest. */
export type McpHandler = (request: Request, body: unknown) => Promise<Response>;

export interface McpHandlerDeps {
  readonly newServer: NewMcpServer;
  /** Names of its tools; unless they are given the library says of a name whether it has one. */
  readonly tools?: readonly string[];
  /** Address of the service: its host may be called by this name, and by whom depends on it. */
  readonly baseUrl: string;
  readonly log: Pick<Log, 'debug'>;
  /** Answers the 2025 revisions; unless told otherwise each request by itself, in JSON. */
  readonly legacy?: LegacyHttpHandler;
  /** Streams of announcements that may be open; unless set otherwise there are none to be had. */
  readonly subscriptionsMax?: number;
}

/**
 * A page in a browser can make its own name lead to this machine, but not call it by one of these.
 */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Of what the library reports of a refused request, which may repeat words of its client, this much
 * goes into the log.
 */
const CAUSE_LENGTH_MAX = 200;

/**
 * Returns the handler of POST /mcp for all revisions of the protocol: 2026-07-28, which is without
 * sessions, and those of 2025 and before, here without sessions too. Each request gets a server
 * object of its own.
 */
export function createMcpDoor(deps: McpHandlerDeps): McpHandler {
  const { newServer, tools = null, baseUrl, log, legacy, subscriptionsMax = 0 } = deps;
  const { hostname } = new URL(baseUrl);
  const names = [hostname, ...LOOPBACK];
  // What the internet may call is for pages of any origin too: there are no cookies, as at REST.
  const isPublic = !LOOPBACK.includes(hostname);
  const onerror = ({ message }: Error) =>
    log.debug({ cause: message.slice(0, CAUSE_LENGTH_MAX) }, 'mcp request refused');
  // No responseMode: a tool of ours says nothing before its result, so every answer is one JSON
  // body as it is. "json" would only add a warning on the terminal at each start.
  const modern = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: subscriptionsMax, onerror });
  const early = legacy ?? createLegacyHandler(newServer);
  return async (request, raw) => {
    const refused = refuseStranger(request.headers, names, isPublic) ?? refuseBatch(raw);
    if (refused !== null) return refused;
    const body = withoutNullParams(raw);
    const id = idOf(body);
    if (subscriptionsMax === 0 && isSubscription(body)) return rpcError(404, RPC.NOT_FOUND, 'Method not found', { id });
    const isEarly = await isLegacyRequest(request, body);
    const fault = isJSONRPCRequest(body) ? requestFault(body, tools, isEarly) : null;
    if (fault !== null) return rpcError(200, RPC.INVALID_PARAMS, fault, { id });
    const options = { parsedBody: body };
    return isEarly ? early(request, options) : modern.fetch(request, options);
  };
}

/**
 * Each request of the 2025 revisions by itself: a server, a transport without a session, one JSON
 * answer.
 */
function createLegacyHandler(newServer: NewMcpServer): LegacyHttpHandler {
  return async (request, options) => {
    const server: McpServer = newServer();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  };
}

/**
 * DNS rebinding: a request must be meant for us. Where nobody but this machine is meant to call, a
 * page must be of this machine too.
 */
function refuseStranger(headers: Headers, names: string[], isPublic: boolean): Response | null {
  const host = validateHostHeader(headers.get('host'), names);
  if (!host.ok) return rpcError(403, RPC.REFUSED, host.message);
  if (isPublic) return null;
  const origin = validateOriginHeader(headers.get('origin'), names);
  return origin.ok ? null : rpcError(403, RPC.REFUSED, origin.message);
}

/** One payment must not buy many answers. */
function refuseBatch(body: unknown): Response | null {
  if (!Array.isArray(body)) return null;
  return rpcError(400, RPC.INVALID_REQUEST, 'JSON-RPC batches are not supported: send each message in its own request');
}

/**
 * Whoever announces nothing does not have the method (2026-07-28, "Subscriptions"); the library
 * would call it a full house.
 */
function isSubscription(body: unknown): boolean {
  return (body as { readonly method?: unknown } | null)?.method === 'subscriptions/listen';
}
