import type { AddressInfo } from 'node:net';
import { API_VERSION } from '#api/version';
import type { Config } from '#config/config';
import * as limits from '#http/limits/limits';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import type { Credits } from '#services/credits/credits';
import type { Lease } from '#services/payments/lease';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { PAYMENTS_IN_WORK_MAX } from '#services/payments/payments';
import { BelievedClock } from '#services/time/believed-clock';
import { type CreditsModule, creditsPath, openStore } from './credits.js';
import { composeDoors } from './doors.js';
import { openSigner } from './evidence.js';
import { buildInfoOf, countersOf, observe } from './observe.js';
import { composeOrders } from './orders.js';
import { type Outside, openOutside } from './outside.js';
import { inOrder } from './parts.js';
import { composePayments } from './payments.js';
import { composeStatus } from './status.js';
import { warnOfLock, watchStoreFile } from './store-file.js';
import { type System, systemWith } from './system.js';
import { composeTime } from './time.js';
import { composeWallets } from './wallets.js';

/** The whole service, wired and not yet listening. */
export interface Service {
  /** The one door to credits in this process: the store is opened once. */
  readonly credits: Credits;
  /** Rejects if the address is taken or not allowed. */
  start(): Promise<AddressInfo>;
  /** Sends clients with kept connections away, while they are still answered. */
  drain(): Promise<void>;
  /** Stops listening, finishes requests in flight, closes sockets, flushes the store. */
  stop(): Promise<void>;
}

/**
 * Wires the service by hand, top to bottom: reading this and the parts that it names is reading the
 * architecture. Throws where what is kept in the data directory cannot be opened. Trades are
 * recorded and rated once `history` has settled: somebody else is filling the tape. `note` is a
 * sentence for all who read the payment terms.
 */
export function compose(
  config: Config,
  log: Log,
  crash: CrashPoints | null = null,
  history: Promise<void> = Promise.resolve(),
  note?: string,
): Promise<Service> {
  return composeWith(config, surroundingsOf(config, systemWith(log)), { crash, history, note });
}

/** What a service finds around it. */
interface Surroundings {
  /** Its clock, its timers, its dice and its log. */
  readonly system: System;
  /** Returns the ways to venue, facilitators and chain; they go by the believed time. */
  readonly openUpstreams: (time: BelievedClock) => Outside;
  readonly openStore: (time: BelievedClock) => Promise<CreditsModule>;
}

/** Returns what the settings name, for a process with such a clock, timers and dice. */
export function surroundingsOf(config: Config, system: System): Surroundings {
  return {
    system,
    openUpstreams: (time) => openOutside(config, { ...system, clock: time }),
    openStore: (time) => openStore(config, 'make', time),
  };
}

interface ServiceOptions {
  readonly crash?: CrashPoints | null;
  readonly history?: Promise<void>;
  readonly note?: string | undefined;
}

/** Wires the same service between whatever is around it. */
export async function composeWith(
  config: Config,
  { system, openUpstreams, openStore }: Surroundings,
  { crash = null, history = Promise.resolve(), note }: ServiceOptions = {},
): Promise<Service> {
  const { log } = system;
  const time = new BelievedClock(system.clock);
  const opened = openUpstreams(time);
  const { outside, timing } = composeTime(config, { time, opened }, system);
  const meter = countersOf(config, outside);
  const operators = await openStore(time);
  const storeFile = config.storeUrl === null ? watchStoreFile(creditsPath(config.dataDir), system) : {};
  if (config.storeUrl === null) warnOfLock(creditsPath(config.dataDir), log);

  const signer = openSigner(config);
  const wallets = await composeWallets(config, { ...system, clock: time, history, signer, crash });
  const orders = composeOrders(config, { outside, ratings: wallets.ratings, time, signer }, system);
  const money = composePayments(config, { outside, operators, meter, crash, isLeader: wallets.isLeader }, system);
  const status = composeStatus(config, { outside, operators, orders, wallets, money, time }, system);
  const doors = await composeDoors(config, { orders, wallets, money, status, meter, note }, system);
  const observation = meter === null ? {} : observe(config, { meter, outside, status, doors }, system);

  // The time is asked for first. Doors open last and close first; money is closed last, whatever
  // becomes of the rest.
  const parts = inOrder([timing, money, storeFile, wallets, orders, status, observation, doors]);
  return {
    credits: operators.credits,
    async start() {
      await parts.start();
      log.info(startFacts(config, money.lease), 'service started');
      return doors.address();
    },
    drain: doors.drain,
    stop: parts.stop,
  };
}

/**
 * Returns what the log of a start says: what runs, on which store, as whom, and within which
 * limits.
 */
function startFacts(config: Config, lease: Pick<Lease, 'id' | 'isHeld' | 'othersCount'>) {
  return {
    ...buildInfoOf(config),
    apiVersion: API_VERSION,
    node: process.versions.node,
    replica: config.replicaId ?? lease.id,
    lease: lease.id,
    isLeaseHeld: lease.isHeld(),
    others: lease.othersCount,
    walletJobs: config.walletJobs,
    limits: {
      connections: limits.CONNECTIONS_MAX,
      connectionsPerAddress: limits.CONNECTIONS_PER_ADDRESS_MAX,
      requestsInWork: limits.IN_WORK_MAX,
      paymentsInWork: PAYMENTS_IN_WORK_MAX,
      headerBytes: limits.HEADER_BYTES_MAX,
      bodyBytes: limits.BODY_BYTES_MAX,
      paymentWaitMs: REQUEST_BUDGET_MS,
      stopWaitMs: limits.STOP_WAIT_MS,
    },
  };
}
