import type { JobHold, JobLeases, JobName } from '#ports/job-leases';
import type { Log } from '#ports/log';
import type { Random } from '#system/random';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';

const RENEW_INTERVAL_MS = 3_000;
/**
 * This long after its last renewal was sent a process gives the job up by itself: soon another one
 * may have it.
 */
const TRUST_MS = 10_000;
/** How long it is good to know whose turn it is to sweep; well within a lease. */
const LEADER_CACHED_MS = 5_000;

export interface JobOwnerDeps {
  readonly leases: JobLeases;
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
}

/** A job in our hands, for as long as the work on it takes. */
export interface HeldJob {
  readonly hold: JobHold;
  /** Aborted when another process has the job, or may have it soon. */
  readonly signal: AbortSignal;
  /** Asks the store. Never rejects: a store that does not answer has not taken it away. */
  isOurs(): Promise<boolean>;
}

/** What came of work that only one process does at a time. */
export type DoneAlone<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Another process has the job, from the beginning or by now. */
  | { readonly kind: 'busy' };

/** This process as one that does jobs: it has those that the leases give it, and no other. */
export class JobOwner {
  /** Names this life of the process. */
  readonly id: string;
  readonly #deps: JobOwnerDeps;
  readonly #held = new Map<JobName, JobHold>();
  readonly #turns = new Map<JobName, { readonly atMs: number; readonly isOurs: boolean }>();

  constructor(deps: JobOwnerDeps) {
    this.#deps = deps;
    this.id = Buffer.from(deps.random.bytes(16)).toString('hex');
  }

  /** The jobs that are this process's now, as far as it knows. */
  get held(): readonly JobName[] {
    return [...this.#held.keys()].toSorted();
  }

  /**
   * Does the work if no other process is at it, and holds on to the job until it is done. Rejects
   * with what the work rejects with, unless the job was lost meanwhile.
   */
  async doAlone<T>(job: JobName, work: (held: HeldJob) => Promise<T>): Promise<DoneAlone<T>> {
    const { leases, stopwatch } = this.#deps;
    const sentAtMs = stopwatch.elapsedMs();
    const hold = await leases.claim(job, this.id);
    if (hold === null) return { kind: 'busy' };
    this.#held.set(job, hold);
    const done = new AbortController();
    const lost = this.#renewUntil(hold, sentAtMs, done.signal);
    const isOurs = async () => !lost.aborted && (await leases.renew(hold).catch(() => true));
    try {
      return { kind: 'done', value: await work({ hold, signal: lost, isOurs }) };
    } catch (error) {
      if (await isOurs()) throw error;
      return { kind: 'busy' };
    } finally {
      done.abort();
      await this.#giveUp(hold);
    }
  }

  /**
   * Whether a round of this job is for this process: it is for as long as it asks again and again,
   * and no other has been faster.
   */
  async isLeader(job: JobName): Promise<boolean> {
    const nowMs = this.#deps.stopwatch.elapsedMs();
    const cached = this.#turns.get(job);
    if (cached !== undefined && nowMs - cached.atMs < LEADER_CACHED_MS) return cached.isOurs;
    const hold = await this.#deps.leases.claim(job, this.id);
    this.#turns.set(job, { atMs: nowMs, isOurs: hold !== null });
    if (hold === null) this.#held.delete(job);
    else this.#held.set(job, hold);
    return hold !== null;
  }

  /** Gives every job to whoever claims it next. */
  async end(): Promise<void> {
    await Promise.all([...this.#held.values()].map((hold) => this.#giveUp(hold)));
  }

  /** Returns the signal that says that the job is lost. */
  #renewUntil(hold: JobHold, claimedAtMs: number, signal: AbortSignal): AbortSignal {
    const { leases, stopwatch, timers, log } = this.#deps;
    const lost = new AbortController();
    let trustedAtMs = claimedAtMs;
    const lose = () => {
      if (signal.aborted || lost.signal.aborted) return;
      log.warn({ job: hold.job }, 'another process has the job, or may have it soon: it is given up');
      lost.abort();
    };
    const renew = async () => {
      const sentAtMs = stopwatch.elapsedMs();
      if (sentAtMs - trustedAtMs > TRUST_MS) lose();
      if (!(await leases.renew(hold))) return lose();
      trustedAtMs = sentAtMs;
    };
    void interval(RENEW_INTERVAL_MS, renew, {
      ...{ timers, signal: AbortSignal.any([signal, lost.signal]) },
      onError: () => {
        if (stopwatch.elapsedMs() - trustedAtMs > TRUST_MS) lose();
      },
    });
    return lost.signal;
  }

  /** What cannot be given up runs out. */
  async #giveUp(hold: JobHold): Promise<void> {
    this.#held.delete(hold.job);
    this.#turns.delete(hold.job);
    await this.#deps.leases.release(hold).catch(() => undefined);
  }
}
