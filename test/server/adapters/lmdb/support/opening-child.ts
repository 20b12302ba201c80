/**
 * Opens the store at a path and says so; grants a credit for each line that it reads, and closes at
 * the end of its input.
 */
import { createInterface } from 'node:readline';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { createCredits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/support/wallet-number';
import { CREDIT_SECRETS } from '#test/support/store-secrets';

const [path = ''] = process.argv.slice(2);
try {
  const store = openLmdbStore({ path });
  const credits = createCredits({ store, ...CREDIT_SECRETS, clock: systemClock, random: systemRandom });
  console.log('opened');
  for await (const line of createInterface(process.stdin)) {
    await credits.grant(walletNumber(1), 1, 30, line);
    console.log(line);
  }
  await store.close();
} catch (error) {
  console.log((error as Error).message);
}
