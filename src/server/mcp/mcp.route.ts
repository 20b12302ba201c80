import { STATUS_OF } from '#api/errors';
import { MCP_PATH } from '#api/mcp-facts';
import { TOOL_TEXTS } from '#api/tool-texts';
import { Problem } from '#domain/errors';
import { readCredentials } from '#doors/credentials';
import { type Body, callerOf, type DoorRequest, isGone, type ReadBody } from '#doors/request';
import type { Route } from '#doors/route';
import { failureOf } from '#services/gate/call';
import { beginExchange, type CallRequest } from './exchange.js';
import { createMcpDoor, type McpHandler } from './mcp-handler.js';
import { createMcpServers, type McpServerDeps } from './mcp-server.js';
import { isNestedDeeper, NESTING_MAX } from './nesting.js';
import { idOf, RPC, type RpcId, rpcError } from './rpc-error.js';

export interface McpRouteDeps extends McpServerDeps {
  readonly readBody: ReadBody;
}

const MCP_TOOLS = Object.keys(TOOL_TEXTS);

/**
 * Returns the route of the MCP server: POST /mcp, every revision of the protocol, every answer in
 * JSON.
 */
export function mcpRoute(deps: McpRouteDeps): Route {
  const { terms, log, readBody } = deps;
  const door = createMcpDoor({ newServer: createMcpServers(deps), tools: MCP_TOOLS, baseUrl: terms.baseUrl, log });
  return {
    path: MCP_PATH,
    methods: {
      POST: async (req, res) => {
        const body = await readBody(req, res);
        const request = toWebRequest(req, terms.baseUrl);
        const exchange = beginExchange(request, toCallRequest(req));
        const handle = canRead(req.headers.accept) ? guarded(door, req.requestId, log) : refuseReader;
        const response = await answerBody(handle, request, body, req.body);
        const answer = { status: response.status, body: await response.text() };
        return exchange.paid ? { ...answer, paid: true } : answer;
      },
    },
  };
}

function toCallRequest(req: DoorRequest): CallRequest {
  return {
    requestId: req.requestId,
    caller: callerOf(req),
    isGone: () => isGone(req),
    ...readCredentials(req.headers),
    hasPaymentHeader: 'payment-signature' in req.headers || 'x-payment' in req.headers,
  };
}

/** What fails is a fault of ours: it is logged for operators, and the caller gets the request id. */
function guarded(handle: McpHandler, requestId: string, log: McpServerDeps['log']): McpHandler {
  return async (request, message) => {
    try {
      return await handle(request, message);
    } catch (error) {
      log.error({ requestId, err: error }, 'mcp request failed');
      return refusal(failureOf(error, requestId), RPC.INTERNAL_ERROR, idOf(message));
    }
  };
}

/**
 * What is wrong with a body is reported in the protocol's own form of an error. A batch is parsed,
 * and refused as a batch.
 */
async function answerBody(handle: McpHandler, request: Request, body: Body, parsed: unknown): Promise<Response> {
  if (body.kind === 'object') {
    return isNestedDeeper(body.value, NESTING_MAX) ? refusal(TOO_DEEP, RPC.PARSE_ERROR) : handle(request, body.value);
  }
  if (Array.isArray(parsed)) return handle(request, parsed);
  if (body.kind === 'absent') return rpcError(400, RPC.INVALID_REQUEST, 'send one JSON-RPC message as the body');
  return refusal(body.problem, body.problem.code === 'malformed_request' ? RPC.PARSE_ERROR : RPC.INVALID_REQUEST);
}

const TOO_DEEP = new Problem(
  'malformed_request',
  `the message must have at most ${NESTING_MAX} levels of objects and lists: nest it less deeply`,
);

function refusal({ code, message }: Problem, rpcCode: number, id: RpcId = null): Response {
  return rpcError(STATUS_OF[code], rpcCode, message, { id, data: { code } });
}

/** The library refuses such a client in the 2025 revisions alone, and asks it for both forms. */
const refuseReader: McpHandler = async () =>
  rpcError(406, RPC.REFUSED, 'send Accept: application/json, text/event-stream or both: every answer is JSON');

/**
 * Returns the request without its body, which was read before. Its URL is ours: the Host header is
 * for the guard to judge. Whoever takes one of the two forms of the protocol takes JSON: the
 * library asks the 2025 revisions for both by name.
 */
function toWebRequest(req: DoorRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  headers.set('accept', BOTH_FORMS);
  return new Request(baseUrl + MCP_PATH, { method: 'POST', headers });
}

const BOTH_FORMS = 'application/json, text/event-stream';
const READABLE = /^(?:\*\/\*|application\/(?:\*|json)|text\/(?:\*|event-stream))$/i;

/** Whether an Accept header, or none, names JSON, event streams or anything. */
function canRead(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => READABLE.test(range.split(';')[0]!.trim()));
}
