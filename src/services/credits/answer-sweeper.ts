import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import type { Timers } from '#ports/timers';
import { type Sweep, startSweep } from '../sweep.js';

/** Answers looked at in one go, and the pause between two goes: a million answers are seen in under three hours. */
const ANSWERS_PER_SWEEP = 1_000;
const SWEEP_EVERY_MS = 10_000;

export interface AnswerSweeperDeps {
  readonly store: Pick<Store, 'sweepAnswers'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly isOurTurn?: () => Promise<boolean>;
}

/** Removes expired answers to Idempotency-Keys from the store, until it is stopped. */
export function startAnswerSweeper(
  { store, clock, timers, ...turns }: AnswerSweeperDeps,
  onError: (error: unknown) => void,
): Sweep {
  return startSweep({
    timers,
    ...turns,
    everyMs: SWEEP_EVERY_MS,
    fullLook: ANSWERS_PER_SWEEP,
    look: (from) => store.sweepAnswers(clock.nowMs(), from, ANSWERS_PER_SWEEP),
    onError,
  });
}
