/**
 * Redeems one code for many wallets, two hundred at once, and prints "ack <n> <token>" for each
 * that the service said was redeemed. Arguments are data directory, code and number of wallets.
 * Ends when every wallet has asked.
 */
import { writeSync } from 'node:fs';
import { openCredits } from '#compose/credits';
import { walletNumber } from '#test/contract/store.contract';

const [dataDir = '', code = '', wallets = '1'] = process.argv.slice(2);
const CONCURRENT = 200;

const { credits, store } = openCredits(dataDir);
let next = 1;

async function redeemAll(): Promise<void> {
  while (next <= Number(wallets)) {
    const n = next++;
    const result = await credits.redeem(code, walletNumber(n));
    if (result.kind === 'redeemed') writeSync(1, `ack ${n} ${result.token}\n`);
  }
}

await Promise.all(Array.from({ length: CONCURRENT }, redeemAll));
await store.close();
