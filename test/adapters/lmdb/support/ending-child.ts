/** Ends, with code 3, `during` a transaction on the store at a path, or `after` one. */
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { walletNumber } from '#test/contract/support/wallet-number';

const [path = '', when = ''] = process.argv.slice(2);
const store = openLmdbStore({ path });
await store.transact({ account: walletNumber(1) }, () => {
  if (when === 'during') process.exit(3);
  return { writes: {}, result: null };
});
await store.close();
process.exit(3);
