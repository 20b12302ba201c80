import { OutsideError } from '#domain/errors';
import { JOB_LEASE_MS, type JobHold, type JobLeases, type JobName } from '#ports/job-leases';
import type { Host } from '../../process/host.js';
import { RATINGS_VERSION, readRatingRow } from '../../rows/rating-rows.js';
import type { Batch, Commits } from '../commits.js';
import { putRow, type Rows, readRaw } from '../raw.js';
import { jobKey } from './keys.js';

/*
 * One row for each job. It is believed in the boot of the machine in which it was written, until it
 * runs out by the machine's monotonic clock; sooner, if its process is seen to be gone.
 */

interface Lease {
  readonly owner: string;
  readonly epoch: number;
  /** 0: given up. */
  readonly untilMs: number;
  readonly bootId: string;
  readonly pid: number;
  readonly pidSpace: string | null;
}

/** Returns the leases of jobs: changes are made through the one writer of the ratings. */
export function lmdbJobLeases(db: Rows, commits: Commits<Batch>, host: Host): JobLeases {
  const put = (job: JobName, lease: Lease) => putRow(db, jobKey(job), encodeLease(lease));
  const change = <T>(decide: () => { readonly result: T; readonly write: () => void }) => commits.run({ decide });
  const nothing = () => undefined;
  const mine = (owner: string, epoch: number): Lease => ({
    ...{ owner, epoch, untilMs: host.uptimeMs() + JOB_LEASE_MS },
    ...{ bootId: host.bootId, pid: host.pid, pidSpace: host.pidSpace },
  });
  return {
    claim: (job, owner) =>
      change<JobHold | null>(() => {
        const lease = readLease(db, job);
        const isTaken = lease !== null && isGood(lease, host);
        if (isTaken && lease.owner !== owner) return { result: null, write: nothing };
        const epoch = (lease?.epoch ?? 0) + (isTaken ? 0 : 1);
        return { result: { job, owner, epoch }, write: () => void put(job, mine(owner, epoch)) };
      }),
    renew: (hold) =>
      change(() => {
        const isOurs = isHeld(db, hold);
        const write = isOurs ? () => void put(hold.job, mine(hold.owner, hold.epoch)) : nothing;
        return { result: isOurs, write };
      }),
    release: (hold) =>
      change(() => {
        const ended = { ...mine(hold.owner, hold.epoch), untilMs: 0 };
        return { result: undefined, write: isHeld(db, hold) ? () => void put(hold.job, ended) : nothing };
      }),
  };
}

/** Throws where somebody else has taken the job since. For transactions. */
export function assertHeld(db: Rows, hold: JobHold): void {
  if (isHeld(db, hold)) return;
  throw new OutsideError('store', `the job ${hold.job} was taken over by another process`, { failure: 'final' });
}

function isHeld(db: Rows, { job, owner, epoch }: JobHold): boolean {
  const lease = readLease(db, job);
  return lease !== null && lease.owner === owner && lease.epoch === epoch;
}

function isGood({ bootId, untilMs, pidSpace, pid }: Lease, host: Host): boolean {
  const leftMs = untilMs - host.uptimeMs();
  // More than a whole lease is left only of one from before the machine was started.
  if (bootId !== host.bootId || leftMs <= 0 || leftMs > JOB_LEASE_MS) return false;
  return pidSpace === null || pidSpace !== host.pidSpace || !host.hasEnded(pid);
}

function readLease(db: Rows, job: JobName): Lease | null {
  const key = jobKey(job);
  const raw = readRaw(db, key);
  if (raw === undefined) return null;
  const read = readRatingRow(key, raw, 7);
  return {
    owner: read.text('owner'),
    epoch: read.count('epoch'),
    untilMs: read.count('untilMs'),
    bootId: read.text('bootId'),
    pid: read.count('pid'),
    pidSpace: read.textOrNull('pidSpace'),
  };
}

function encodeLease({ owner, epoch, untilMs, bootId, pid, pidSpace }: Lease): unknown {
  return [RATINGS_VERSION, owner, epoch, untilMs, bootId, pid, pidSpace];
}
