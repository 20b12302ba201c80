/** Ends `during` a transaction on the store at a path, with code 3, by an `error` beside one, or `after` one, with code 3. */
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { walletNumber } from '#test/contract/support/wallet-number';

const [path = '', when = ''] = process.argv.slice(2);
const store = openLmdbStore({ path });
const change = store.transact({ account: walletNumber(1) }, () => {
  if (when === 'during') process.exit(3);
  return { writes: {}, result: null };
});
if (when === 'error') throw new Error('something broke');
await change;
await store.close();
process.exit(3);
