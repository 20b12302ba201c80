/**
 * Opens the images of a recorded run that power cuts can leave, as a service would that starts on
 * them, and prints for each "<n> begun" and then what is wrong with it, or "<n> sound <pending>",
 * with the number of writes that were under way. Arguments: the recording, a seed, the number of
 * cuts, the image to begin with.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import type { Store } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { tempFolder } from '#test/support/temp-folder';
import { IMAGE_KINDS, imageAt } from './images.js';
import { type Print, readSystemCalls } from './system-calls.js';
import type { Recording } from './workload.js';

const [recorded = '', seed = '', cuts = '', first = ''] = process.argv.slice(2);
const { before, path, trace } = JSON.parse(recorded) as Recording;
const original = readFileSync(before);
const calls = readSystemCalls(readFileSync(trace, 'latin1'), path);
const prints = calls.filter((call): call is Print => call.kind === 'print');
const code = prints[0]!.words[1]!;
const kinds = Object.keys(IMAGE_KINDS);
const folder = tempFolder('image');

const lineArbitrary = fc.oneof(
  fc.integer({ min: prints[0]!.began, max: calls.at(-1)!.began }),
  // What was just answered is what is lost first.
  fc.constantFrom(...prints.map(({ began }) => began)),
);
const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const cutsDrawn = fc.sample(fc.tuple(lineArbitrary, chances), { seed: Number(seed), numRuns: Number(cuts) });
for (let n = Number(first); n < cutsDrawn.length * kinds.length; n++) {
  const [line, chance] = cutsDrawn[Math.floor(n / kinds.length)]!;
  console.log(`${n} begun`);
  console.log(`${n} ${await outcomeOf(line, kinds[n % kinds.length]!, () => chance.next().value)}`);
}

async function outcomeOf(line: number, kind: string, dice: () => number): Promise<string> {
  const { image, pending } = imageAt(original, calls, line, kind, dice);
  const copy = join(folder, 'credits.lmdb');
  writeFileSync(copy, image);
  let store: Store;
  try {
    store = openLmdbStore({ path: copy });
  } catch (error) {
    return `unopenable ${(error as Error).message}`;
  }
  try {
    const { faults } = await checkStore({ store, ratings: null }, () => undefined);
    if (faults.length > 0) return `faulty ${JSON.stringify(faults[0])}`;
    for (const { words, began } of prints) {
      if (began <= line && !(await isThere(store, words))) return `lost ${words.join(' ')}`;
    }
    return `sound ${pending}`;
  } finally {
    await store.close();
  }
}

/** Whether the store has what a line that the program printed promises. */
async function isThere(store: Store, [what, n, requestId = '']: readonly string[]): Promise<boolean> {
  const wallet = walletNumber(Number(n ?? 0));
  const payment = () => store.payment(samplePayment(Number(n)).key);
  switch (what) {
    case 'begun':
      return true;
    case 'redeemed':
      return (await store.redemption(code, wallet)) !== null && (await store.tokens(wallet)) !== null;
    case 'debited':
      return (await store.answer({ wallet, code, key: requestId }))?.body.startsWith(requestId) ?? false;
    case 'sent':
      return ['SETTLING', 'SETTLED'].includes((await payment())?.state ?? '');
    case 'settled': {
      const row = await payment();
      return row?.state === 'SETTLED' && row.body === `{"n":${n}}`;
    }
    default:
      throw new Error(`printed, and not known: ${what}`);
  }
}
