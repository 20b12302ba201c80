import { API_VERSION } from '#api/version';
import type { Config } from '#config/config';
import * as limits from '#http/limits/limits';
import type { Lease } from '#services/payments/lease';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { PAYMENTS_IN_WORK_MAX } from '#services/payments/payments';
import { buildInfoOf } from './observe.js';

/**
 * Returns what the log of a start says: what runs, on which store, as whom, and within which
 * limits.
 */
export function startFacts(config: Config, lease: Pick<Lease, 'id' | 'isHeld' | 'othersCount'>) {
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
