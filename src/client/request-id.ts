/** Returns the name of a request: 64 hexadecimal digits that the same request always has. */
export async function requestIdOf(...parts: readonly (string | null)[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
