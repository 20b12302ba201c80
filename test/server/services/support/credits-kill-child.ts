/**
 * Debits one credit at a time from several wallets, two hundred at once, and prints "ack <request
 * id>" for each that the service said was done. Runs until it is killed: arguments are data
 * directory, number of wallets and a round's name.
 */
import { writeSync } from 'node:fs';
import { openCredits } from '#compose/credits';
import { walletNumber } from '#test/contract/store.contract';
import { bearerOf } from './credits-home.js';

const [dataDir = '', wallets = '1', round = ''] = process.argv.slice(2);
const CONCURRENT = 200;

const { credits } = openCredits(dataDir);

async function debit(worker: number): Promise<void> {
  for (let n = 0; ; n++) {
    const requestId = `${round}-${worker}-${n}`;
    const paid = await credits.charge({
      bearer: bearerOf(walletNumber(1 + ((worker + n) % Number(wallets)))),
      tool: 'preflight_trade',
      credits: 1,
      requestId,
      idempotency: { key: requestId, fingerprint: requestId },
      render: ({ creditsRemaining }) => `${requestId} ${creditsRemaining}`,
    });
    // Written at once, so that an acknowledgement is in the pipe before the process can be killed.
    if (paid.kind === 'charged') writeSync(1, `ack ${requestId}\n`);
  }
}

writeSync(1, 'ready\n');
await Promise.all(Array.from({ length: CONCURRENT }, (_, worker) => debit(worker)));
