/**
 * Charges without a key and prints what came of each charge. Arguments are the store's file and the
 * trouble: `held`, a disk that does not answer (it prints once and waits to be killed), or `full`,
 * one that is full after a while (it ends with the first charge that failed).
 */
import { writeSync } from 'node:fs';
import { storeOver } from '#adapters/lmdb/money/store';
import { openLmdbFile } from '#adapters/lmdb/open';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import type { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { boundedStore } from '#services/bounded-store';
import { createCredits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { HeldFlushes } from '#test/contract/support/held-flushes';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { request } from './credits-home.js';

const [path = '', trouble = ''] = process.argv.slice(2);
/** So that a few charges fill the disk. */
const LONG = 'x'.repeat(2_000);

const flushes = new HeldFlushes();
const disk = storeOver(flushes.over(openLmdbFile({ path, version: ROW_VERSION, remedy: '' })), path);
const serve = (store: Store) => createCredits({ store, ...CREDIT_SECRETS, clock: systemClock, random: systemRandom });
const waits = { timers: systemTimers, stopwatch: systemClock };
const credits = serve(boundedStore(disk, waits, trouble === 'held' ? 1_000 : undefined));

async function charge(n: number): Promise<string> {
  try {
    const { kind } = await credits.charge(request({ requestId: `${n}${LONG}` }));
    await credits.settleDebits().catch(() => undefined);
    return kind;
  } catch (error) {
    return (error as OutsideError).failure;
  }
}

await serve(disk).grant(walletNumber(1), 1_000, 30, '');
if (trouble === 'held') flushes.hold();
for (let n = 0, outcome = ''; outcome !== 'unknown'; n++) {
  outcome = await charge(n);
  writeSync(1, `${outcome}\n`);
}
if (trouble === 'held') setInterval(() => undefined, 1_000);
else process.exit(0);
