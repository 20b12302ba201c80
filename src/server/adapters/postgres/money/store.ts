import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import type { Clock } from '#system/clock';
import { systemStopwatch } from '../../process/system-clock.js';
import { bindKey, checkDatabase, checkWritable } from '../check.js';
import { openCommits } from '../commits.js';
import { inTime } from '../in-time.js';
import { openPools, READ_MS_MAX } from '../pool.js';
import { queryOver } from '../query.js';
import { changesOver } from '../retry.js';
import { watchStandbys } from '../standbys.js';
import { MoneyBatch } from './batch.js';
import { readFacilitatorExposures } from './exposures.js';
import { postgresLeases } from './leases.js';
import { readEntries, readLedger } from './ledger.js';
import { postgresListing } from './listing.js';
import { orStoreError } from './pages.js';
import { readOpenPaymentsFor, readOwnedPayments, readPayments } from './payments.js';
import { readAll, readerOf, readRedemptions } from './reads.js';
import { ACCOUNT, ANSWER, PAYMENT, PROMO, REDEMPTION, TOKENS } from './tables.js';
import { sweepAnswers, trimPayments } from './trim.js';

export interface PostgresStoreOptions {
  readonly url: string;
  /**
   * Opens the key that the rows are written with, and returns its id; as that of the embedded
   * store.
   */
  readonly useKey?: (existing: string | null) => string;
  /** A clock that has to agree with the database's; absent: that is no matter. */
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** Is told what time it is by the database, now and then. */
  readonly onTime?: (nowMs: number) => void;
  /** true: also while rows are being copied into it. Absent: then it is refused. */
  readonly isCopy?: boolean;
}

/**
 * Opens the store in a PostgreSQL database, which any number of replicas share: a change of one is
 * seen by the next read of the others. Rejects with an OutsideError where the database cannot be
 * worked on (check.ts), and with what `useKey` throws.
 */
export async function openPostgresStore({ url, useKey, ...checked }: PostgresStoreOptions): Promise<Store> {
  await checkDatabase(url, checked);
  if (useKey !== undefined) await bindKey(url, useKey);
  const pools = openPools(url);
  const commits = openCommits(pools, () => new MoneyBatch());
  const query = queryOver(pools.readers);
  const read = {
    account: readerOf(query, ACCOUNT),
    tokens: readerOf(query, TOKENS),
    answer: readerOf(query, ANSWER),
    payment: readerOf(query, PAYMENT),
    promo: readerOf(query, PROMO),
    redemption: readerOf(query, REDEMPTION),
  };
  const standbys = watchStandbys(queryOver(pools.keepers));
  let closing: Promise<void> | null = null;

  const whenOpen = async <T>(from: () => Promise<T>): Promise<T> => {
    if (closing !== null) throw new OutsideError('store', 'the store is closed', { failure: 'retryable' });
    return from();
  };
  /** A caller waits for what is read. */
  const inCallersTime = <T>(from: () => Promise<T>) => inTime(whenOpen(from), READ_MS_MAX);

  return {
    transact: (keys, decide) =>
      commits.run({
        want: (batch) => batch.want(keys),
        run(batch) {
          const { writes, result } = decide(batch.read(keys));
          batch.write(writes);
          return result;
        },
      }),
    account: (wallet) => inCallersTime(() => read.account(wallet)),
    tokens: (wallet) => inCallersTime(() => read.tokens(wallet)),
    answer: (key) => inCallersTime(() => read.answer(key)),
    payment: (key) => inCallersTime(() => read.payment(key)),
    payments: (from, limit) => whenOpen(() => readPayments(query, 'all', from, limit)),
    openPayments: (from, limit) => whenOpen(() => readPayments(query, 'open', from, limit)),
    uncheckedPayments: (from, limit) => whenOpen(() => readPayments(query, 'unchecked', from, limit)),
    exposures: () => whenOpen(() => orStoreError(readFacilitatorExposures(query))),
    openPaymentsFor: (owner, from, limit) => whenOpen(() => readOpenPaymentsFor(query, owner, from, limit)),
    ownedPayments: (keys) => whenOpen(() => readOwnedPayments(query, keys)),
    leases: postgresLeases(changesOver(pools.keepers), process.pid),
    listing: postgresListing(pools.readers, whenOpen),
    promo: (code) => inCallersTime(() => read.promo(code)),
    promos: () => whenOpen(() => readAll(query, PROMO)),
    redemption: (code, wallet) => inCallersTime(() => read.redemption({ code, wallet })),
    redemptions: (code, from, limit) => whenOpen(() => readRedemptions(query, code, from, limit)),
    ledger: (wallet, limit) => inCallersTime(() => readLedger(query, wallet, limit)),
    entries: (from, limit) => whenOpen(() => readEntries(query, from, limit)),
    sweepAnswers: (nowMs, limit) => whenOpen(() => sweepAnswers(query, nowMs, limit)),
    trimPayments: (settledBeforeMs, limit) => whenOpen(() => trimPayments(query, commits, { settledBeforeMs, limit })),
    load() {
      const { count, sinceMs } = commits.waiting();
      const all = [pools.writers, pools.readers, pools.keepers];
      return {
        engine: 'postgresql',
        changesWaiting: count,
        oldestWaitMs: sinceMs === null ? null : systemStopwatch.elapsedMs() - sinceMs,
        connections: {
          open: all.reduce((sum, pool) => sum + pool.totalCount, 0),
          busy: all.reduce((sum, pool) => sum + pool.totalCount - pool.idleCount, 0),
        },
        standbys: closing === null ? standbys() : null,
      };
    },
    ping: () =>
      whenOpen(async () => {
        const nowMs = await checkWritable(changesOver(pools.keepers));
        checked.onTime?.(nowMs);
      }),
    close() {
      closing ??= commits.stop().then(() => pools.end());
      return closing;
    },
  };
}
