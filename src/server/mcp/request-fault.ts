import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/**
 * Returns what is wrong with the params of a request that the library would answer in words of its
 * own, or null. The sentence says what to send. `tools`: the names that may be called; null: any.
 */
export function requestFault({ method, params }: JSONRPCRequest, tools: readonly string[] | null): string | null {
  if (method === 'tools/call') return callFault(params, tools);
  return null;
}

/** The library looks a name up in an object, which has names of its own, such as toString. */
function callFault(params: JSONRPCRequest['params'], tools: readonly string[] | null): string | null {
  if (tools === null || tools.some((tool) => tool === params?.name)) return null;
  return `there is no such tool: params.name must be one of ${tools.join(', ')}`;
}
