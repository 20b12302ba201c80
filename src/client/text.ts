/** What came from a server, read with care: bounded, and nothing is thrown. */

/** Longest text of a server that is repeated in an error. */
const SHOWN_CHARS_MAX = 200;

/**
 * Returns a foreign text as it may stand in a message: one line of printable characters, cut off.
 */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonOf(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return line.length <= SHOWN_CHARS_MAX ? line : `${line.slice(0, SHOWN_CHARS_MAX)}…`;
}

/** What is nested too deeply cannot be written. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '…';
  }
}

/** Returns a text as standard padded base64 of its UTF-8 bytes. */
export function toBase64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Returns the text of standard base64, or null if it is none. */
export function fromBase64(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns bytes as hexadecimal digits, two each. */
export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
