import type { Clock } from '#ports/clock';
import type { Cursor, Store } from '#ports/store';
import type { Timers } from '#ports/timers';

/** Answers looked at in one go, and the pause between two goes: a million answers are seen in under three hours. */
const ANSWERS_PER_SWEEP = 1_000;
const SWEEP_EVERY_MS = 10_000;

export interface AnswerSweeperDeps {
  readonly store: Pick<Store, 'sweepAnswers'>;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * Removes expired answers from the store, a bounded batch at a time and for ever round, until the returned function is
 * called. The error of a failed batch goes to `onError`, and the next round begins at the first answer again.
 */
export function startAnswerSweeper(deps: AnswerSweeperDeps, onError: (error: unknown) => void): () => void {
  const stopping = new AbortController();
  void sweepAgainAndAgain(deps, onError, stopping.signal);
  return () => stopping.abort();
}

async function sweepAgainAndAgain(
  { store, clock, timers }: AnswerSweeperDeps,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let from: Cursor = null;
  for (;;) {
    await timers.sleep(SWEEP_EVERY_MS, signal);
    if (signal.aborted) return;
    try {
      from = (await store.sweepAnswers(clock.nowMs(), from, ANSWERS_PER_SWEEP)).next;
    } catch (error) {
      from = null;
      if (!signal.aborted) onError(error);
    }
  }
}
