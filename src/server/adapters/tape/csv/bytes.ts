import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Returns the bytes of a CSV file, unpacked where its name ends in .gz. */
export function openBytes(file: string): AsyncIterable<Uint8Array> {
  const bytes = createReadStream(file);
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
}

/** Whether a file begins as Windows programs begin their "Unicode text". */
export async function isUtf16(file: string): Promise<boolean> {
  for await (const [first, second] of openBytes(file)) {
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  }
  return false;
}
