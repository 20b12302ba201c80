import type { Timers } from '#system/timers';
import { withTimeout } from '../with-timeout.js';

/** Whoever asks waits for a disk no longer than this. */
const ROOM_MS_MAX = 1_000;

/**
 * Returns what asks a disk how much room there is, one question at a time: a disk that hangs takes
 * one thread of the pool, however often it is asked. Rejects where it does not answer in time.
 */
export function boundedRoom(freeBytes: () => Promise<number>, timers: Timers): () => Promise<number> {
  let inFlight: Promise<number> | null = null;
  const late = (): never => {
    throw new Error(`the disk has not said within ${ROOM_MS_MAX} ms how much room there is`);
  };
  return () => {
    inFlight ??= freeBytes().finally(() => {
      inFlight = null;
    });
    return withTimeout(inFlight, { timers, ms: ROOM_MS_MAX }, late);
  };
}
