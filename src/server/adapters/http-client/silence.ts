import { HEDGE_AFTER_MS } from '#system/ask-several';
import type { Stopwatch } from '#system/stopwatch';

/** Whether an endpoint owes an answer. Only questions that are answered at once are told of. */
export interface Silence {
  /** A question is on its way. */
  asked(): void;
  /** Something came back, whatever it says of the question. */
  heard(): void;
  /** Whether nothing has come back since a question that is older than `HEDGE_AFTER_MS`. */
  isSilent(): boolean;
}

/** Returns the silence of an endpoint that was not asked yet: it is none. */
export function createSilence(stopwatch: Stopwatch): Silence {
  let owedSinceMs: number | null = null;
  return {
    asked() {
      owedSinceMs ??= stopwatch.elapsedMs();
    },
    heard() {
      owedSinceMs = null;
    },
    isSilent: () => owedSinceMs !== null && stopwatch.elapsedMs() - owedSinceMs >= HEDGE_AFTER_MS,
  };
}
