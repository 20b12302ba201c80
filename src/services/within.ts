import type { Timers } from '#ports/timers';

/** How long something may take. */
export interface Limit {
  readonly timers: Timers;
  readonly ms: number;
}

/**
 * Resolves as `work` does, or as `late` does (or rejects as it throws) when the work takes longer
 * than the limit. The work itself goes on; `late` is not called for work that was done in time.
 */
export function within<Done, Late>(work: Promise<Done>, { timers, ms }: Limit, late: () => Late): Promise<Done | Late> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    work.then(
      (done) => {
        cancel();
        resolve(done);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
