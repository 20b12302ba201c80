import { toHex } from '../text.js';

/** Returns the digest of a text in hexadecimal digits. */
export async function digestHex(algorithm: 'SHA-1' | 'SHA-256', text: string): Promise<string> {
  const bytes = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return toHex(new Uint8Array(bytes));
}
