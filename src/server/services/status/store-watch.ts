import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import type { UpstreamHealth } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { withTimeout } from '../with-timeout.js';

/** A store that has neither read nor written for this long is not there. */
const PING_MS_MAX = 2_000;
/** What was found out stands for so long, however often it is asked for. */
const FRESH_MS = 1_000;

export interface StoreWatchDeps {
  readonly store: Pick<Store, 'ping'>;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * Returns what finds out whether the store can be read and written. It never rejects, and answers
 * within two seconds.
 */
export function watchStore({ store, clock, timers }: StoreWatchDeps): () => Promise<UpstreamHealth> {
  let lastOkAtMs: number | null = null;
  let lastError: string | null = null;
  let foundOutAtMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;

  const note = (error: string | null) => {
    lastError = error;
    if (error === null) lastOkAtMs = clock.nowMs();
    foundOutAtMs = clock.elapsedMs();
  };

  /** A ping that hangs is the only one. */
  function ping(): Promise<void> {
    inFlight ??= store
      .ping()
      .then(
        () => note(null),
        (error: unknown) => note(error instanceof OutsideError ? error.message : 'the store cannot be used'),
      )
      .finally(() => {
        inFlight = null;
      });
    return inFlight;
  }

  return async () => {
    if (clock.elapsedMs() - foundOutAtMs >= FRESH_MS) {
      const late = () => note(`the store has not read and written within ${PING_MS_MAX} ms`);
      await withTimeout(ping(), { timers, ms: PING_MS_MAX }, late);
    }
    return { name: 'store', ok: lastError === null, lastOkAtMs, lastError };
  };
}
