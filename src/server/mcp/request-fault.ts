import { type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';

type Params = JSONRPCRequest['params'];

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
  switch (request.method) {
    case 'initialize':
      return isEarly ? initializeFault(request) : null;
    case 'tools/list':
      return listFault(request.params);
    case 'tools/call':
      return callFault(request.params, tools);
    default:
      return null;
  }
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

/** There is one page, so any text will do: clients send back what they were given. */
function listFault(params: Params): string | null {
  const cursor = params?.cursor;
  return cursor === undefined || typeof cursor === 'string' ? null : 'params.cursor must be a text, or left out';
}

/** The library looks a name up in an object, which has names of its own, such as toString. */
function callFault(params: Params, tools: readonly string[] | null): string | null {
  if (tools !== null && !tools.some((tool) => tool === params?.name)) {
    return `there is no such tool: params.name must be one of ${tools.join(', ')}`;
  }
  const args = params?.arguments;
  if (args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args))) return null;
  return 'params.arguments must be an object, such as {"sandbox": true}, or left out';
}
