import type { Cursor, Swept } from '#ports/store';
import type { Timers } from '#ports/timers';

/** What is looked through, how often, and who hears of what fails. */
export interface SweepOrder {
  readonly timers: Timers;
  /** The pause between two looks. */
  readonly everyMs: number;
  /** Looks at a bounded number of rows from the cursor on. */
  readonly look: (from: Cursor) => Promise<Swept>;
  readonly onError: (error: unknown) => void;
}

/** A sweep that goes on until it is stopped. */
export interface Sweep {
  /** Rows since the start. */
  readonly removed: () => number;
  stop(): void;
}

/**
 * Looks through rows a bounded page at a time and for ever round, so that what is old goes and no
 * single look takes long. Where it stands is not kept: after a restart it begins anew. After a look
 * that failed it begins at the first row again.
 */
export function startSweep(order: SweepOrder): Sweep {
  const stopping = new AbortController();
  const count = { removed: 0 };
  void lookAgainAndAgain(order, count, stopping.signal);
  return { removed: () => count.removed, stop: () => stopping.abort() };
}

async function lookAgainAndAgain(
  { timers, everyMs, look, onError }: SweepOrder,
  count: { removed: number },
  signal: AbortSignal,
): Promise<void> {
  let from: Cursor = null;
  for (;;) {
    await timers.sleep(everyMs, signal);
    if (signal.aborted) return;
    try {
      const { removed, next } = await look(from);
      count.removed += removed;
      from = next;
    } catch (error) {
      from = null;
      if (!signal.aborted) onError(error);
    }
  }
}
