import type { RatingsStore } from '#ports/ratings-store';
import type { Cursor, Store, Swept } from '#ports/store';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { interval } from './interval.js';
import { REPEAT_TO_BUYER_MS } from './payments/work.js';

/** A year, and a month in which what became of its verdicts shows. */
const HISTORY_STORED_S = 400 * 86_400;

/** Rows that are removed once they are old. */
export interface OldRows {
  /** The pause between two looks. */
  readonly intervalMs: number;
  /** Rows of one look: few, since the calls of customers wait for as long as it takes. */
  readonly rowsPerLook: number;
  /** Removes up to `limit` rows that are old by then. */
  readonly trim: (nowMs: number, limit: number) => Promise<Swept>;
}

/** Expired answers to Idempotency-Keys. */
export const expiredAnswers = (store: Pick<Store, 'sweepAnswers'>): OldRows => ({
  intervalMs: 10_000,
  rowsPerLook: 100,
  trim: (nowMs, limit) => store.sweepAnswers(nowMs, limit),
});

/**
 * Answers of payments that are repeated to nobody any more. No repeat is given for longer than one
 * to the buyer; the rows stay, so that no authorization looks new.
 */
export const oldRepeats = (store: Pick<Store, 'trimPayments'>): OldRows => ({
  intervalMs: 2_000,
  rowsPerLook: 100,
  trim: (nowMs, limit) => store.trimPayments(nowMs - REPEAT_TO_BUYER_MS, limit),
});

/**
 * Verdicts of 400 days ago in the histories of wallets: a night's of 100,000 wallets go within an
 * hour. An engine may have to look at each of them for that, so it goes for ever round. Where it
 * stands is not kept: after a restart, and after a look that failed, it begins anew.
 */
export function oldVerdicts(store: Pick<RatingsStore, 'trimHistory'>): OldRows {
  let at: Cursor = null;
  return {
    intervalMs: 5_000,
    rowsPerLook: 500,
    async trim(nowMs, limit) {
      const from = at;
      at = null;
      const { removed, next } = await store.trimHistory(Math.floor(nowMs / 1e3) - HISTORY_STORED_S, from, limit);
      at = next;
      return { removed, isMore: removed === limit };
    },
  };
}

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
 * Removes what is old a bounded page at a time, so that no single look takes long. It pauses when a
 * look has left nothing: so it keeps up with whatever comes, and has soon made up for the time in
 * which nobody looked.
 */
export function startTrimmer({ intervalMs, rowsPerLook, trim }: OldRows, deps: TrimmerDeps): Trimmer {
  const { clock, timers, onError, isLeader } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let sum = 0;
  const round = async () => {
    while (!signal.aborted && (isLeader === undefined || (await isLeader()))) {
      const { removed, isMore } = await trim(clock.nowMs(), rowsPerLook);
      sum += removed;
      if (!isMore) return;
    }
  };
  void interval(intervalMs, round, {
    timers,
    signal,
    onError: (error) => {
      if (!signal.aborted) onError(error);
    },
  });
  return { removed: () => sum, stop: () => stopping.abort() };
}
