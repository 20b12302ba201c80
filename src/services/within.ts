import type { Timers } from '#ports/timers';

/** How long something may take. */
export interface Limit {
  readonly timers: Timers;
  readonly ms: number;
}

/**
 * Resolves as `work` does, or as `late` does (or rejects as it throws) when the work takes longer than the limit. The work
 * itself goes on; `late` is not called for work that was done in time.
 */
export async function within<Done, Late>(
  work: Promise<Done>,
  { timers, ms }: Limit,
  late: () => Late,
): Promise<Done | Late> {
  const over = new AbortController();
  const deadline = timers
    .sleep(ms, over.signal)
    .then(() => (over.signal.aborted ? new Promise<never>(() => {}) : late()));
  try {
    return await Promise.race([work, deadline]);
  } finally {
    over.abort();
  }
}
