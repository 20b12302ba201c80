import type { ServedTool } from '#api/operations';
import type { OutgoingRequest } from '../state/purchase.js';
import { toolCall } from './mcp-message.js';

/** Requests as they go out: one spelling each, so that the same call is the same purchase. */

/** Parameters of a call; what is undefined is left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Returns the GET of a tool, its parameters in the order of their names. */
export function toolRequest(baseUrl: string, tool: ServedTool, parameters: Parameters): OutgoingRequest {
  return getRequest(baseUrl, `/api/${tool}`, parameters);
}

/** Returns the call of a tool by MCP. */
export function mcpRequest(baseUrl: string, tool: ServedTool, parameters: Parameters): OutgoingRequest {
  return { method: 'POST', url: `${baseUrl}/mcp`, body: toolCall(tool, parameters), door: 'mcp' };
}

/** Returns a GET of any path. */
export function getRequest(baseUrl: string, path: string, parameters: Parameters = {}): OutgoingRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]): [string, string] => [k, String(v)]),
  );
  return { method: 'GET', url: `${baseUrl}${path}${query.size === 0 ? '' : `?${query}`}`, body: null };
}
