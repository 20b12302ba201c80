/**
 * What only one of the processes on a store does at a time: rating the board (`night`), removing
 * what is too old to keep (`sweeper`), and counting what became of verdicts (`scoreboard`).
 */
export type JobName = 'night' | 'sweeper' | 'scoreboard';

/**
 * A job in somebody's hands. The epoch grows with every owner: what an earlier one still writes is
 * refused by it.
 */
export interface JobHold {
  readonly job: JobName;
  readonly owner: string;
  readonly epoch: number;
}

/**
 * The leases of jobs. Time is the store's own: never a wall clock, which can be set. All reject as
 * every change of a store does.
 */
export interface JobLeases {
  /**
   * Takes the job for JOB_LEASE_MS from now, if nobody holds it or the owner itself does; null:
   * another does.
   */
  claim(job: JobName, owner: string): Promise<JobHold | null>;
  /** Holds on to it for JOB_LEASE_MS from now. False: somebody else has taken it since. */
  renew(hold: JobHold): Promise<boolean>;
  /** Gives it to whoever claims it next. */
  release(hold: JobHold): Promise<void>;
}

/** How long a lease of a job is good after it was taken or renewed. */
export const JOB_LEASE_MS = 15_000;
