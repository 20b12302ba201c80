/**
 * Returns the text of a file or of standard input, without the byte order mark that some editors
 * begin with. It is UTF-8, or UTF-16 as Windows PowerShell writes for `>`, which its mark shows.
 */
export function decodeText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}
