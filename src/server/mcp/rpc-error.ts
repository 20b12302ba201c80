/** Codes of errors: those of JSON-RPC, and the one that MCP servers refuse a request with. */
export const RPC = {
  REFUSED: -32_000,
  INVALID_REQUEST: -32_600,
  NOT_FOUND: -32_601,
  INVALID_PARAMS: -32_602,
  INTERNAL_ERROR: -32_603,
  PARSE_ERROR: -32_700,
} as const;

/** What an answer sends back; null in an error that belongs to no single request. */
export type RpcId = string | number | null;

/** Returns the id of a message; null if it has none, or one of another kind. */
export function idOf(message: unknown): RpcId {
  const id = (message as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Returns an error of JSON-RPC. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, data }: { readonly id?: RpcId; readonly data?: object } = {},
): Response {
  const error = data === undefined ? { code, message } : { code, message, data };
  return Response.json({ jsonrpc: '2.0', error, id }, { status });
}
