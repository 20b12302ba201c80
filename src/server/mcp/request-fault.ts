import { type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';
import { toolsFault } from '#api/mcp-params';

/**
 * Returns what is wrong with the params of a request where the library would answer with the report
 * of its schema, or null. The sentence says what to send. `tools`: the names that may be called;
 * null: any. `isEarly`: the request is of a revision that is begun with initialize.
 */
export function requestFault(
  request: JSONRPCRequest,
  tools: readonly string[] | null,
  isEarly: boolean,
): string | null {
  const { method, params } = request;
  if (method === 'initialize') return isEarly ? initializeFault(request) : null;
  return toolsFault(method, params, tools);
}

function initializeFault(request: JSONRPCRequest): string | null {
  const { issues } = specTypeSchemas.InitializeRequest['~standard'].validate(request);
  if (issues === undefined) return null;
  // Names of the protocol; what lies further inside may be the client's own words.
  const [params, member] = issues[0]?.path ?? [];
  const place = [params, member].filter((name) => name !== undefined).join('.');
  return `${place} is missing or malformed: ${INITIALIZE}`;
}

const INITIALIZE =
  'initialize takes protocolVersion, such as "2025-11-25", capabilities, such as {}, and clientInfo with name and version';
