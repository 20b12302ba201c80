/**
 * Changes a store in all ways in which callers are answered, and prints a line for each answer at
 * the moment at which it may go out: "redeemed <wallet>", "debited <wallet> <request>",
 * "sent <payment>" (to a facilitator), "settled <payment>". Arguments: data directory, number of
 * rounds, and a `PowerFault`. Prints "begun <name of the code>" first.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Flushes } from '#adapters/lmdb/flushes';
import { openCredits, serve } from '#compose/credits';
import { OutsideError } from '#domain/errors';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import { nameOfCode } from '#services/credits/promo-names';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { POWER_CODE, type PowerFault } from './workload.js';

const [dataDir = '', rounds = '1', fault = 'none'] = process.argv.slice(2) as [string?, string?, PowerFault?];
const DEBITERS = 12;
const PAYERS = 4;
const THINK_MS_MAX = 6;

const opened = openCredits(dataDir);
if (fault === 'answers before the flush') Flushes.prototype.until = () => Promise.resolve();
const { store, credits } =
  fault === 'answers before the commit' ? serve({ ...opened, store: beforeTheCommit(opened.store) }) : opened;

function beforeTheCommit(store: Store): Store {
  return {
    ...store,
    transact: (keys, decide) =>
      new Promise((resolve, reject) => {
        const decideAndAnswer: typeof decide = (rows) => {
          const decision = decide(rows);
          resolve(decision.result);
          return decision;
        };
        store.transact(keys, decideAndAnswer).catch(reject);
      }),
  };
}

const code = nameOfCode(opened, POWER_CODE);

/** Written at once, so that it stands where it belongs among the system calls. */
const print = (...words: readonly (string | number)[]) => writeSync(1, `${words.join(' ')}\n`);

async function redeem(n: number): Promise<void> {
  await credits.redeem(POWER_CODE, walletNumber(n));
  print('redeemed', n);
}

async function debit(n: number, requestId: string): Promise<void> {
  const paid = await credits.charge({
    bearer: { wallet: walletNumber(n), scope: 'promo', code },
    tool: 'preflight_trade',
    credits: 1,
    requestId,
    idempotency: { key: requestId, fingerprint: requestId },
    render: ({ creditsRemaining }) => `${requestId} ${creditsRemaining} ${'.'.repeat(300)}`,
  });
  if (paid.kind !== 'charged') throw new Error(`not charged: ${paid.kind}`);
  print('debited', n, requestId);
}

const put = (payment: PaymentRow, durable = true) =>
  store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }), { durable });

async function pay(n: number): Promise<void> {
  await put(samplePayment(n, { state: 'CLAIMED' }), false);
  const intent = put(samplePayment(n));
  if (fault !== 'sends before the intent') await intent;
  print('sent', n);
  await intent;
  const transaction = `0x${n.toString(16).padStart(64, '0')}` as const;
  const proof = { kind: 'proven', transaction, blockNumber: 8, logIndex: n, isFinal: true } as const;
  await put(samplePayment(n, { state: 'SETTLED', transaction, open: false, body: `{"n":${n}}`, proof }));
  print('settled', n);
}

/** Takes its time between its calls, so that changes come while others are under way. */
async function work(call: (n: number) => Promise<void>): Promise<void> {
  for (let n = 1; n <= Number(rounds); n++) {
    await call(n).catch((error) => {
      if (!(error instanceof OutsideError)) throw error;
    });
    await sleep(Math.random() * THINK_MS_MAX);
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
print('begun', code);
await redeem(1);
await Promise.all([
  work((n) => redeem(1 + n)),
  ...numbers(DEBITERS).map((at) => work((n) => debit(1, `r${n}-${at}`))),
  ...numbers(PAYERS).map((at) => work((n) => pay(n * PAYERS + at))),
]);
await opened.store.close();
