/** One life of a process that works on a store. */
export interface Process {
  /** Random, new in each life. */
  readonly id: string;
  /** As its operating system calls it, for people. */
  readonly pid: number;
}

/** Whether a process may work on the store, and who else does. */
export type LeaseOutcome =
  | { readonly kind: 'held'; readonly others: readonly Process[] }
  /** As many others as there may be hold a lease; nothing was written. */
  | { readonly kind: 'full'; readonly others: readonly Process[] };

/**
 * The leases by which processes on one store know of each other's deaths (docs/payments.md, "One
 * owner"). Time is the store's own: never a wall clock, which can be set. A lease that ran out, or
 * was ended, gives everything that its process owned to whoever takes it. Both reject as every
 * change of a store does.
 */
export interface Leases {
  /**
   * Takes the lease, or holds on to it, for LEASE_MS from now. Resolves when the other processes
   * see it. `othersMax`: with more others than that it is not taken.
   */
  hold(id: string, othersMax: number): Promise<LeaseOutcome>;
  /** Ends the lease. */
  end(id: string): Promise<void>;
}

/** How long a lease is good after it was taken or renewed. */
export const LEASE_MS = 6_000;
