/**
 * Opens the store at a path and says so; adds a change for each line that it reads, and closes at
 * the end of its input.
 */
import { createInterface } from 'node:readline';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { walletNumber } from '#test/contract/support/wallet-number';

const [path = ''] = process.argv.slice(2);
try {
  const store = openLmdbStore({ path });
  console.log('opened');
  for await (const line of createInterface(process.stdin)) {
    await store.transact({ account: walletNumber(1) }, () => ({ writes: {}, result: line }));
    console.log(line);
  }
  await store.close();
} catch (error) {
  console.log((error as Error).message);
}
