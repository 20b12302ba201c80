import type { AddressInfo } from 'node:net';
import type { Config } from '#config/config';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import type { Credits } from '#services/credits/credits';
import { openStore } from './credits.js';
import { composeDoors } from './doors.js';
import { countersOf, observe } from './observe.js';
import { composeOrders } from './orders.js';
import { openOutside } from './outside.js';
import { inOrder } from './parts.js';
import { composePayments } from './payments.js';
import { startFacts } from './start-facts.js';
import { composeStatus } from './status.js';
import { systemWith } from './system.js';
import { composeWallets } from './wallets.js';

/** The whole service, wired and not yet listening. */
export interface Service {
  /** The one door to credits in this process: the store is opened once. */
  readonly credits: Credits;
  /** Rejects if the address is taken or not allowed. */
  start(): Promise<AddressInfo>;
  /** Stops listening, finishes requests in flight, closes sockets, flushes the store. */
  stop(): Promise<void>;
}

/**
 * Wires the service by hand, top to bottom: reading this and the parts that it names is reading the
 * architecture. Throws where what is kept in the data directory cannot be opened. Trades are
 * recorded and rated once `history` has settled: somebody else is filling the tape. `note` is a
 * sentence for all who read the payment terms.
 */
export async function compose(
  config: Config,
  log: Log,
  crash: CrashPoints | null = null,
  history: Promise<void> = Promise.resolve(),
  note?: string,
): Promise<Service> {
  const system = systemWith(log);
  const outside = openOutside(config, system);
  const meter = countersOf(config, outside);
  const operators = await openStore(config);

  const orders = composeOrders(config, outside, system);
  const wallets = await composeWallets(config, { ...system, history });
  const money = composePayments(config, { outside, operators, meter, crash, isLeader: wallets.isLeader }, system);
  const status = composeStatus(config, { outside, orders, wallets, money }, system);
  const doors = await composeDoors(config, { orders, wallets, money, status, meter, note }, system);
  const observation = meter === null ? {} : observe(config, { meter, outside, status, doors }, system);

  // Doors open last and close first; money is closed last, whatever becomes of the rest.
  const parts = inOrder([money, wallets, orders, status, observation, doors]);
  return {
    credits: operators.credits,
    async start() {
      await parts.start();
      log.info(startFacts(config, money.lease), 'service started');
      return doors.address();
    },
    stop: parts.stop,
  };
}
