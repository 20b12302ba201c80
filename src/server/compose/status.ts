import { join } from 'node:path';
import { freeBytes } from '#adapters/process/disk-space';
import { lineFile } from '#adapters/process/line-file';
import type { StatusReport } from '#api/status';
import type { Config } from '#config/config';
import { watchStatus } from '#services/status/history';
import { boundedRoom } from '#services/status/room';
import { Status } from '#services/status/status';
import { type StoreHealth, watchStore } from '#services/status/store-watch';
import { watchUpstreams } from '#services/status/upstream-watch';
import type { BelievedClock } from '#services/time/believed-clock';
import type { CreditsModule } from './credits.js';
import type { Orders } from './orders.js';
import type { Outside } from './outside.js';
import { inOrder, type Running } from './parts.js';
import type { Money } from './payments.js';
import type { System } from './system.js';
import type { WalletModule } from './wallets.js';

/** In the data directory. */
const STATUS_HISTORY = 'status-history.jsonl';

/** What the service says of itself. */
export interface StatusModule extends Running {
  /** Never rejects. */
  readonly report: () => Promise<StatusReport>;
  /** What it was in the last 24 hours, as text. */
  readonly historyText: () => string;
  /** Never rejects, and waits for no disk. */
  readonly storeHealth: () => Promise<StoreHealth>;
  /** On the disk of the data directory. Rejects where that does not say so in time. */
  readonly freeBytes: () => Promise<number>;
}

interface StatusDeps {
  readonly outside: Outside;
  readonly orders: Pick<Orders, 'books' | 'latency' | 'jobsHeld'>;
  /** The store as operators have it: what looks at it is not counted, and waits behind no caller. */
  readonly operators: Pick<CreditsModule, 'store'>;
  readonly wallets: WalletModule;
  readonly money: Money;
  readonly time: BelievedClock;
}

/** Wires the status with what it looks at: the store, the upstreams, and each part's own report. */
export function composeStatus(config: Config, deps: StatusDeps, { timers, random, log }: System): StatusModule {
  const { orders, operators, wallets, money, outside, time: clock } = deps;
  const { gamma, clobMarkets, clobBooks, facilitators, chain } = outside;
  const upstreams = [gamma, clobMarkets, clobBooks, ...wallets.upstreams, ...facilitators, chain];
  const storeWatch = watchStore({ store: operators.store, changes: money.changes, clock, timers, random });
  const room = boundedRoom({ freeBytes: () => freeBytes(config.dataDir), timers, stopwatch: clock });
  const status = new Status({
    ...wallets,
    clock,
    time: () => clock.report(),
    storeHealth: storeWatch.health,
    freeBytes: room,
    upstreams,
    jobsHeld: () => [...wallets.jobsHeld(), ...orders.jobsHeld()].toSorted(),
    books: orders.books,
    latency: orders.latency,
    payments: money.payments,
    lease: money.lease,
    replicaId: config.replicaId,
    storeLoad: () => money.store.load(),
    trimmed: () => ({ paymentAnswers: money.answersTrimmed(), verdicts: wallets.verdictsTrimmed() }),
  });
  const report = () => status.report();
  const onError = (err: unknown) => log.error({ err }, 'the status could not be kept for its history');
  const file = lineFile(join(config.dataDir, STATUS_HISTORY));
  const history = watchStatus({ report, file, clock, timers, onError });
  return {
    report,
    historyText: () => history.text(),
    storeHealth: storeWatch.health,
    freeBytes: room,
    ...inOrder([storeWatch, watchUpstreams({ upstreams, clock, timers }), history]),
  };
}
