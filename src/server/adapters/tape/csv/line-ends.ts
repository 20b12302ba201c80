import { openBytes } from './bytes.js';

const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d];

/**
 * Returns the first row of a CSV file (.gz or not) that ends another way than the row of names
 * does, or null if all end alike. Line breaks inside quotes end no row.
 */
export async function firstOtherLineEnd(file: string): Promise<number | null> {
  let row = 1;
  let isQuoted = false;
  let last = 0;
  let usual: boolean | null = null;
  for await (const chunk of openBytes(file)) {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte === LF && !isQuoted) {
        usual ??= last === CR;
        if (usual !== (last === CR)) return row;
        row++;
      }
      last = byte;
    }
  }
  return null;
}
