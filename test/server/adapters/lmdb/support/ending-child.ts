/**
 * Ends `during` a transaction on the store at a path, with code 3, by an `error` beside one,
 * `beside` one, when it is at rest, or `after` one, both with code 3.
 */
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { endProcess } from '#server/end-process';
import { walletNumber } from '#test/contract/support/wallet-number';

const [path = '', when = ''] = process.argv.slice(2);
const store = openLmdbStore({ path });
const change = store.transact({ account: walletNumber(1) }, () => {
  if (when === 'during') process.exit(3);
  return { writes: {}, result: null };
});
if (when === 'error') throw new Error('something broke');
if (when === 'beside') await endProcess(3);
await change;
await store.close();
process.exit(3);
