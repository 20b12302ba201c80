import type { Cursor, Swept } from '#ports/store';
import type { Timers } from '#ports/timers';
import { every } from './every.js';

/** Looks without a pause between them, while each removes as much as one may. */
const LOOKS_AT_ONCE_MAX = 20;

/** What is looked through, how often, and who hears of what fails. */
export interface SweepOrder {
  readonly timers: Timers;
  /** The pause between two looks. */
  readonly everyMs: number;
  /** Looks at a bounded number of rows from the cursor on. */
  readonly look: (from: Cursor) => Promise<Swept>;
  /** A look that removed so many is followed by the next one at once: more is old than the pauses let go. */
  readonly fullLook: number;
  readonly onError: (error: unknown) => void;
  /** Whether this process looks, or another one on the same store does; absent: it does. */
  readonly isOurTurn?: () => Promise<boolean>;
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
export function startSweep({ timers, everyMs, look, fullLook, onError, isOurTurn }: SweepOrder): Sweep {
  const stopping = new AbortController();
  const { signal } = stopping;
  let from: Cursor = null;
  let sum = 0;
  const round = async () => {
    if (isOurTurn !== undefined && !(await isOurTurn())) return;
    for (let looks = 0; looks < LOOKS_AT_ONCE_MAX && !signal.aborted; looks++) {
      const { removed, next } = await look(from);
      sum += removed;
      from = next;
      if (removed < fullLook) return;
    }
  };
  void every(everyMs, round, {
    timers,
    signal,
    onError: (error) => {
      from = null;
      if (!signal.aborted) onError(error);
    },
  });
  return { removed: () => sum, stop: () => stopping.abort() };
}
