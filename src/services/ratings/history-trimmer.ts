import type { Clock } from '#ports/clock';
import type { RatingsStore } from '#ports/ratings-store';
import type { Timers } from '#ports/timers';
import { type Sweep, startSweep } from '../sweep.js';

/** A year, and a month in which what became of its verdicts shows. */
const HISTORY_KEPT_S = 400 * 86_400;
/** Verdicts looked at in one go, and the pause between two: a night's of 100,000 wallets go within an hour. */
const VERDICTS_PER_LOOK = 500;
const LOOK_EVERY_MS = 5_000;

export interface HistoryTrimmerDeps {
  readonly store: Pick<RatingsStore, 'trimHistory'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly isOurTurn?: () => Promise<boolean>;
}

/** Removes verdicts that are 400 days old from the histories of wallets, until it is stopped. */
export function startHistoryTrimmer(
  { store, clock, timers, ...turns }: HistoryTrimmerDeps,
  onError: (error: unknown) => void,
): Sweep {
  return startSweep({
    timers,
    ...turns,
    everyMs: LOOK_EVERY_MS,
    fullLook: VERDICTS_PER_LOOK,
    look: (from) => store.trimHistory(Math.floor(clock.nowMs() / 1e3) - HISTORY_KEPT_S, from, VERDICTS_PER_LOOK),
    onError,
  });
}
