import type { RatingsStore } from '#ports/ratings-store';
import type { Cursor, Store, Swept } from '#ports/store';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { interval } from './interval.js';
import { REPEAT_TO_BUYER_MS } from './payments/work.js';

/** Looks without a pause between them, while each removes as much as one may. */
const LOOKS_AT_ONCE_MAX = 20;
/** A year, and a month in which what became of its verdicts shows. */
const HISTORY_STORED_S = 400 * 86_400;

/** Rows that are removed once they are old. */
export interface OldRows {
  /** The pause between two looks. */
  readonly intervalMs: number;
  /**
   * Rows of one look. If all of them went, the next look follows at once: more is old than the
   * pauses let go.
   */
  readonly rowsPerLook: number;
  /** Looks at up to `limit` rows from the cursor on, and removes those that are old by then. */
  readonly trim: (nowMs: number, from: Cursor, limit: number) => Promise<Swept>;
}

/** Expired answers to Idempotency-Keys: a million are seen in under three hours. */
export const expiredAnswers = (store: Pick<Store, 'sweepAnswers'>): OldRows => ({
  intervalMs: 10_000,
  rowsPerLook: 1_000,
  trim: (nowMs, from, limit) => store.sweepAnswers(nowMs, from, limit),
});

/**
 * Answers of payments that are repeated to nobody any more: a million are seen in under three
 * hours. No repeat is given for longer than one to the buyer; the rows stay, so that no
 * authorization looks new.
 */
export const oldRepeats = (store: Pick<Store, 'trimPayments'>): OldRows => ({
  intervalMs: 2_000,
  rowsPerLook: 200,
  trim: (nowMs, from, limit) => store.trimPayments(nowMs - REPEAT_TO_BUYER_MS, from, limit),
});

/**
 * Verdicts of 400 days ago in the histories of wallets: a night's of 100,000 wallets go within an
 * hour.
 */
export const oldVerdicts = (store: Pick<RatingsStore, 'trimHistory'>): OldRows => ({
  intervalMs: 5_000,
  rowsPerLook: 500,
  trim: (nowMs, from, limit) => store.trimHistory(Math.floor(nowMs / 1e3) - HISTORY_STORED_S, from, limit),
});

export interface TrimmerDeps {
  /** The clock by which rows grow old. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
  /** Whether this process looks, or another one on the same store does; absent: it does. */
  readonly isLeader?: () => Promise<boolean>;
}

/** Goes on until it is stopped. */
export interface Trimmer {
  /** Rows since the start. */
  readonly removed: () => number;
  stop(): void;
}

/**
 * Looks through rows a bounded page at a time and for ever round, so that what is old goes and no
 * single look takes long. Where it stands is not kept: after a restart it begins anew. After a look
 * that failed it begins at the first row again.
 */
export function startTrimmer({ intervalMs, rowsPerLook, trim }: OldRows, deps: TrimmerDeps): Trimmer {
  const { clock, timers, onError, isLeader } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let from: Cursor = null;
  let sum = 0;
  const round = async () => {
    if (isLeader !== undefined && !(await isLeader())) return;
    for (let looks = 0; looks < LOOKS_AT_ONCE_MAX && !signal.aborted; looks++) {
      const { removed, next } = await trim(clock.nowMs(), from, rowsPerLook);
      sum += removed;
      from = next;
      if (removed < rowsPerLook) return;
    }
  };
  void interval(intervalMs, round, {
    timers,
    signal,
    onError: (error) => {
      from = null;
      if (!signal.aborted) onError(error);
    },
  });
  return { removed: () => sum, stop: () => stopping.abort() };
}
