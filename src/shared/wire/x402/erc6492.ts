/** The end of an ERC-6492 signature: one that comes with how its wallet would be deployed. */
export const ERC6492_SUFFIX = '6492'.repeat(16);

/** Hexadecimal digits of a word of an ABI. */
const WORD = 64;
/** Where the offset of the last of (address factory, bytes deployment, bytes signature) stands. */
const SIGNATURE_AT = 2 * WORD;

/**
 * Returns the signature inside an ERC-6492 one, for a wallet that is deployed already; null: it is
 * none, or not well-formed. Takes and returns 0x and hexadecimal digits.
 */
export function unwrapErc6492(signature: string): string | null {
  if (!signature.toLowerCase().endsWith(ERC6492_SUFFIX)) return null;
  const encoded = signature.slice(2, -ERC6492_SUFFIX.length);
  const offset = numberAt(encoded, SIGNATURE_AT);
  const length = offset === null ? null : numberAt(encoded, offset * 2);
  if (offset === null || length === null || length === 0) return null;
  const start = offset * 2 + WORD;
  const inner = encoded.slice(start, start + length * 2);
  return inner.length === length * 2 ? `0x${inner}` : null;
}

/** Returns the number of bytes that a word says, or null if there is none that could be meant. */
function numberAt(encoded: string, at: number): number | null {
  const word = encoded.slice(at, at + WORD);
  if (word.length < WORD) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(encoded.length) ? Number(value) : null;
}
