/**
 * Flips bits in copies of a store, one in each, and prints for each what a check says of it:
 * `refused` to open, `reported`, `same` (the rows are what they were) or `missed`. The bits are those
 * of the numbers from `first` on: every other one of the heads, from which all else is found.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { open } from 'lmdb';
import { closeLocked, openLocked } from '#adapters/lmdb/memory-lock';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { checkStore } from '#services/integrity/check';
import { tempFolder } from '#test/support/temp-folder';

const [original = '', seed = '', first = '', count = ''] = process.argv.slice(2);
const bytes = readFileSync(original);
/** Where the heads begin: of both pages, and of the copy in the middle of the first. */
const HEADS_AT = [0, 2_048, 4_096];
const HEAD_BYTES = 160;
const bitsFrom = (from: number, length: number) => fc.integer({ min: from * 8, max: (from + length) * 8 - 1 });
const anywhere = fc.tuple(fc.oneof(...HEADS_AT.map((at) => bitsFrom(at, HEAD_BYTES))), bitsFrom(0, bytes.length));
const pairs = fc.sample(anywhere, { seed: Number(seed), numRuns: Math.ceil(Number(count) / 2) });
const bits = pairs.flat().slice(0, Number(count));
const rows = await rowsOf(copyOf(bytes));
for (let n = Number(first); n < bits.length; n++) {
  console.log(`${n} begun`);
  console.log(`${n} ${await outcomeOf(bits[n]!)}`);
}

async function outcomeOf(bit: number): Promise<string> {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  const path = copyOf(flipped);
  let store: ReturnType<typeof openLmdbStore>;
  try {
    store = openLmdbStore({ path });
  } catch {
    return 'refused';
  }
  const { faultsFound } = await checkStore({ store, ratings: null }, () => undefined);
  await store.close();
  if (faultsFound > 0) return 'reported';
  return (await rowsOf(path)) === rows ? 'same' : 'missed';
}

function copyOf(content: Uint8Array): string {
  const path = join(tempFolder('flip'), 'credits.lmdb');
  writeFileSync(path, content);
  return path;
}

/** All rows as one text. */
async function rowsOf(path: string): Promise<string> {
  const db = openLocked(path, (at) => open<unknown, string>({ path: at }));
  const found = [...db.getKeys({})].map((key) => `${String(key)} ${Buffer.from(db.getBinary(key)!).toString('hex')}`);
  await db.close();
  await closeLocked(path);
  return found.join('\n');
}
