import { readFileSync, statSync } from 'node:fs';
import { decodeText } from '#domain/decode-text';
import { type JsonObject, parseObject, repeatedName } from '#domain/json';
import { shown } from '../text.js';
import type { Cli } from './cli.js';
import { plain } from './plain-text.js';
import { UsageError } from './usage-error.js';

/** More than the largest answer with evidence. */
const FILE_BYTES_MAX = 8 << 20;

/** Reads a JSON object from a file, or from standard input for "-". Throws a UsageError. */
export async function readJson(file: string, { world }: Cli): Promise<JsonObject> {
  const text = file === '-' ? await world.readInput(FILE_BYTES_MAX) : readText(file);
  const found = parseObject(text);
  const name = file === '-' ? 'standard input' : file;
  if (found === null) throw new UsageError(`${name} is not a JSON object`);
  const twice = repeatedName(text);
  if (twice === null) return found;
  throw new UsageError(
    `${name} has the name ${plain(shown(twice))} twice in one object: it is unclear which of the two is meant`,
  );
}

function readText(file: string): string {
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw new UsageError(`${file} is longer than ${FILE_BYTES_MAX} bytes`);
    return decodeText(readFileSync(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
