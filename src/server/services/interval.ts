import type { Timers } from '#system/timers';

export interface IntervalOptions {
  readonly timers: Timers;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs `round` again and again with a pause of `ms` before each, one after the other. Resolves when
 * the signal has ended it and the round under way is over. What a round rejects with goes to
 * `onError`, and the next one comes all the same.
 */
export async function interval(
  ms: number,
  round: () => Promise<void>,
  { timers, signal, onError }: IntervalOptions,
): Promise<void> {
  for (;;) {
    await timers.sleep(ms, signal);
    if (signal.aborted) return;
    try {
      await round();
    } catch (error) {
      onError(error);
    }
  }
}
