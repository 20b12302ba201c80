/**
 * Flips bits in copies of a store, one in each, and prints for each what a check says of it:
 * `refused` to open, `reported`, `same` (the rows are what they were) or `missed`. The bits are those
 * of the numbers from `first` on.
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
const bits = fc.sample(fc.nat(bytes.length * 8 - 1), { seed: Number(seed), numRuns: Number(count) });
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
