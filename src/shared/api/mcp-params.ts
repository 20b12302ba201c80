import { type ToolFlag, withoutNulls } from './arguments.js';

/**
 * Returns a message of MCP without params that are null, and without what is null in the parts of
 * `initialize`: as in a body of REST it counts as absent.
 */
export function withoutNullParams(message: unknown): unknown {
  const { params, ...bare } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (params === null) return bare;
  const given = withoutNulls(params);
  const whole = bare.method === 'initialize' ? withoutNullsInParts(given) : given;
  return whole === params ? message : { ...bare, params: whole };
}

function withoutNullsInParts(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  return Object.fromEntries(Object.entries(params).map(([name, part]) => [name, withoutNulls(part)]));
}

/** `sandbox` of a tool: `true`, its text, or what it is called at the REST door. */
export function readSandbox(raw: unknown): ToolFlag {
  if (raw === undefined || raw === null || raw === false || raw === 'false') return 'absent';
  return raw === true || raw === 'true' || raw === 1 || raw === '1' ? 'set' : 'malformed';
}

/**
 * Returns what is wrong with the params of `tools/list` or `tools/call` where a library would
 * answer with the report of its schema; null: nothing is, or it is another method. The sentence
 * says what to send. `tools`: the names that may be called; null: any.
 */
export function toolsFault(
  method: unknown,
  params: Readonly<Record<string, unknown>> | undefined,
  tools: readonly string[] | null,
): string | null {
  if (method === 'tools/list') return listFault(params?.cursor);
  return method === 'tools/call' ? callFault(params, tools) : null;
}

/** There is one page, so any text will do: clients send back what they were given. */
function listFault(cursor: unknown): string | null {
  return cursor === undefined || typeof cursor === 'string' ? null : 'params.cursor must be a text, or left out';
}

/** A library may look a name up in an object, which has names of its own, such as toString. */
function callFault(params: Readonly<Record<string, unknown>> | undefined, tools: readonly string[] | null) {
  if (tools !== null && !tools.some((tool) => tool === params?.name)) {
    return `there is no such tool: params.name must be one of ${tools.join(', ')}`;
  }
  const args = params?.arguments;
  if (args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args))) return null;
  return 'params.arguments must be an object, such as {"sandbox": true}, or left out';
}
