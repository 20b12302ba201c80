import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_OF } from '#api/errors';
import { MCP_PATH } from '#api/mcp-facts';
import type { Problem } from '#domain/errors';
import { beginExchange } from './exchange.js';
import { createMcpDoor, type McpHandler, rpcError } from './mcp-handler.js';
import { createMcpServers, type McpServerDeps } from './mcp-server.js';

/** A request that has an id. */
export interface McpRequest extends IncomingMessage {
  readonly requestId: string;
  /** What the reader of bodies parsed, also where it refused it. */
  readonly body?: unknown;
}

/** A body as the HTTP door reads it. */
export type McpBody =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** What is answered: JSON text, or none where the protocol wants none. */
export interface McpAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether it was paid for on the chain. */
  readonly paid?: true;
}

export interface McpRouteDeps<Req extends McpRequest> extends McpServerDeps {
  /** Reads a JSON body within the limits of the HTTP door. */
  readonly readBody: (req: Req, res: ServerResponse) => Promise<McpBody>;
}

/** The path and what it does, in the form of the HTTP door's routes. All other methods are answered there. */
export interface McpRoute<Req extends McpRequest> {
  readonly path: string;
  readonly methods: { readonly POST: (req: Req, res: ServerResponse) => Promise<McpAnswer> };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Returns the route of the MCP server: POST /mcp, every revision of the protocol, every answer in JSON. */
export function mcpRoute<Req extends McpRequest>(deps: McpRouteDeps<Req>): McpRoute<Req> {
  const { terms, log, readBody } = deps;
  const handle = createMcpDoor({ newServer: createMcpServers(deps), baseUrl: terms.baseUrl, log });
  return {
    path: MCP_PATH,
    methods: {
      POST: async (req, res) => {
        const body = await readBody(req, res);
        const request = toWebRequest(req, terms.baseUrl);
        const exchange = beginExchange(request, { requestId: req.requestId, caller: req.socket.remoteAddress ?? '' });
        const response = await answerBody(handle, request, body, req.body);
        const answer = { status: response.status, body: await response.text() };
        return exchange.paid ? { ...answer, paid: true } : answer;
      },
    },
  };
}

/** What is wrong with a body is told in the protocol's own form of an error. A batch is parsed, and refused as a batch. */
async function answerBody(handle: McpHandler, request: Request, body: McpBody, parsed: unknown): Promise<Response> {
  if (body.kind === 'object') return handle(request, body.value);
  if (Array.isArray(parsed)) return handle(request, parsed);
  if (body.kind === 'absent') return rpcError(400, INVALID_REQUEST, 'send one JSON-RPC message as the body');
  const { code, message } = body.problem;
  return rpcError(STATUS_OF[code], code === 'malformed_request' ? PARSE_ERROR : INVALID_REQUEST, message, {
    data: { code },
  });
}

/** Returns the request without its body, which was read before. Its URL is ours: the Host header is for the guard to judge. */
function toWebRequest(req: McpRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return new Request(baseUrl + MCP_PATH, { method: 'POST', headers });
}
