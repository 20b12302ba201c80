import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store';
import type { Timers } from '#ports/timers';
import { type Sweep, startSweep } from '../sweep.js';
import { REPEAT_TO_BUYER_MS } from './repeats.js';

/** Payments looked at in one go, and the pause between two: a million are seen in under three hours. */
const PAYMENTS_PER_LOOK = 200;
const LOOK_EVERY_MS = 2_000;

export interface RepeatTrimmerDeps {
  readonly store: Pick<Store, 'trimPayments'>;
  /** The clock by which repeats end. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly isOurTurn?: () => Promise<boolean>;
}

/**
 * Removes the answers of payments that are repeated to nobody any more, until it is stopped. No
 * repeat is given for longer than one to the buyer; the rows stay, so that no authorization looks
 * new.
 */
export function startRepeatTrimmer(
  { store, clock, timers, ...turns }: RepeatTrimmerDeps,
  onError: (error: unknown) => void,
): Sweep {
  return startSweep({
    timers,
    ...turns,
    everyMs: LOOK_EVERY_MS,
    fullLook: PAYMENTS_PER_LOOK,
    look: (from) => store.trimPayments(clock.nowMs() - REPEAT_TO_BUYER_MS, from, PAYMENTS_PER_LOOK),
    onError,
  });
}
