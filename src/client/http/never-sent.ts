/** Codes of Node for a connection that did not come about: of the request not a byte has left. */
const NO_CONNECTION: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at'],
  ['ENOTFOUND', 'there is no such host:'],
  ['EAI_AGAIN', 'the name cannot be looked up:'],
  ['EHOSTUNREACH', 'no way leads to'],
  ['ENETUNREACH', 'no way leads to'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection is accepted at'],
]);

/** What fetch says of a port that it never connects to, without a code. */
const BAD_PORT = 'bad port';

/**
 * Returns in words why a request that failed cannot have been received; null if it may have been.
 * Pages are not told, so there it always is null.
 */
export function whyNeverSent(error: unknown, baseUrl: string): string | null {
  const { code, errors, message } = (causeOf(error) ?? {}) as Readonly<Record<'code' | 'errors' | 'message', unknown>>;
  if (message === BAD_PORT) return `fetch connects to no such port: ${new URL(baseUrl).origin}`;
  // A host of several addresses: each of them has to have refused.
  const codes: readonly unknown[] = Array.isArray(errors) ? errors.map((one) => one?.code) : [code];
  const words = codes.map((one) => NO_CONNECTION.get(one));
  return words.length === 0 || words.includes(undefined) ? null : `${words[0]} ${new URL(baseUrl).origin}`;
}

/** What stands behind the "fetch failed" of fetch. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause !== undefined ? error.cause : null;
}
