import type { Clock } from '#ports/clock';
import type { Cursor, Store } from '#ports/store';

/** Answers looked at in one go, and the pause between two goes: a million answers are seen in under three hours. */
const ANSWERS_PER_SWEEP = 1_000;
const SWEEP_EVERY_MS = 10_000;

/**
 * Removes expired answers from the store, a bounded batch at a time and for ever round, until the returned function is
 * called. A failed batch is told to `onError` and tried again later. The timer does not keep the process alive.
 */
export function startAnswerSweeper(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  onError: (error: unknown) => void,
  everyMs = SWEEP_EVERY_MS,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let from: Cursor = null;

  async function sweep(): Promise<void> {
    try {
      from = (await store.sweepAnswers(clock.nowMs(), from, ANSWERS_PER_SWEEP)).next;
    } catch (error) {
      from = null;
      if (!stopped) onError(error);
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void sweep(), everyMs);
    timer.unref();
  }

  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
