import { LEASE_MS, type LeaseOutcome, type Leases, type Process } from '#ports/leases';
import type { Host } from '../../process/host.js';
import { count, fields, ROW_VERSION, text, textOrNull } from '../../rows/row-fields.js';
import type { Commits } from '../commits.js';
import { putRow, type Rows, rangeOf, readRaw } from '../raw.js';
import type { MoneyBatch } from './batch.js';
import { LEASES, leaseKey } from './keys.js';

/*
 * One row for each process. It is believed in the boot of the machine in which it was written,
 * until it runs out by the machine's monotonic clock; sooner, where its process is seen to be gone.
 */

interface Lease extends Process {
  readonly untilMs: number;
  readonly bootId: string;
  readonly pidSpace: string | null;
}

/** Returns whether a process holds its lease. */
export function isAlive(db: Rows, id: string, host: Host): boolean {
  const lease = readLease(db, id);
  return lease !== null && isGood(lease, host);
}

/** Returns the leases of a store: changes are made through its one writer. */
export function lmdbLeases(db: Rows, commits: Commits<MoneyBatch>, host: Host): Leases {
  return {
    hold: (id, othersMax) =>
      commits.run({
        decide() {
          const others = allLeases(db).filter((lease) => lease.id !== id);
          const alive = others.filter((lease) => isGood(lease, host));
          const ended = others.filter((lease) => !alive.includes(lease));
          const kind = alive.length > othersMax ? 'full' : 'held';
          const result: LeaseOutcome = { kind, others: alive.map(({ id, pid }) => ({ id, pid })) };
          return {
            result,
            write: () => {
              for (const { id } of ended) db.remove(leaseKey(id));
              if (kind === 'held') putRow(db, leaseKey(id), encodeLease(host));
            },
          };
        },
      }),
    end: (id) => commits.run({ decide: () => ({ result: undefined, write: () => void db.remove(leaseKey(id)) }) }),
  };
}

function isGood({ bootId, untilMs, pidSpace, pid }: Lease, host: Host): boolean {
  const leftMs = untilMs - host.uptimeMs();
  // More than a whole lease is left only of one from before the machine was started.
  if (bootId !== host.bootId || leftMs <= 0 || leftMs > LEASE_MS) return false;
  return pidSpace === null || pidSpace !== host.pidSpace || !host.hasEnded(pid);
}

function allLeases(db: Rows): readonly Lease[] {
  const ids = [...db.getKeys(rangeOf(LEASES))].map((key) => key.slice(LEASES.length));
  return ids.flatMap((id) => readLease(db, id) ?? []);
}

function readLease(db: Rows, id: string): Lease | null {
  const key = leaseKey(id);
  const raw = readRaw(db, key);
  if (raw === undefined) return null;
  const row = fields(key, raw, 5);
  return {
    id,
    untilMs: count(key, row[1], 'untilMs'),
    bootId: text(key, row[2], 'bootId'),
    pid: count(key, row[3], 'pid'),
    pidSpace: textOrNull(key, row[4], 'pidSpace'),
  };
}

function encodeLease({ bootId, pid, pidSpace, uptimeMs }: Host): unknown {
  return [ROW_VERSION, uptimeMs() + LEASE_MS, bootId, pid, pidSpace];
}
