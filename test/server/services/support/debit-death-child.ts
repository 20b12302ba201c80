/**
 * Debits one credit after the other from a wallet, and prints "ack <request id>" for each that the
 * service said was done; dies at the crash point that CRASH_AT names. Arguments: data directory, and
 * "early" for a store with a planted fault: it acknowledges a change before it writes it.
 */
import { writeSync } from 'node:fs';
import { armCrashPoint } from '#adapters/process/crash-point';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { crashingStore } from '#compose/crashing';
import { openCredits } from '#compose/credits';
import type { Store } from '#ports/store';
import { createCredits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { bearerOf } from './credits-home.js';

const [dataDir = '', fault = 'none'] = process.argv.slice(2);
const DEBITS_MAX = 10;

/** Writes each change when the next one has been acknowledged. */
function acknowledgingEarly(store: Store): Store {
  let write = async () => {};
  return {
    ...store,
    async transact(keys, decide, options) {
      const result = await store.transact(keys, (rows) => ({ writes: {}, result: decide(rows).result }), options);
      await write();
      write = async () => void (await store.transact(keys, decide, options));
      return result;
    },
  };
}

const { store } = openCredits(dataDir);
const used = fault === 'early' ? acknowledgingEarly(store) : store;
const crashed = crashingStore(used, armCrashPoint(process.env.CRASH_AT)!);
const credits = createCredits({ store: crashed, ...CREDIT_SECRETS, clock: systemClock, random: systemRandom });
for (let n = 0; n < DEBITS_MAX; n++) {
  const requestId = `request-${n}`;
  const { kind } = await credits.charge({
    bearer: bearerOf(walletNumber(1)),
    tool: 'preflight_trade',
    credits: 1,
    requestId,
    idempotency: { key: requestId, fingerprint: requestId },
    render: () => requestId,
  });
  if (kind === 'charged') writeSync(1, `ack ${requestId}\n`);
}
