import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import { withTimeout } from '../with-timeout.js';

/** Whoever asks waits for a disk no longer than this. */
const ROOM_MS_MAX = 1_000;

export interface RoomDeps {
  readonly freeBytes: () => Promise<number>;
  readonly timers: Timers;
  readonly stopwatch: Stopwatch;
}

/**
 * Returns what asks a disk how much room there is, one question at a time: a disk that hangs takes
 * one thread of the pool, however often it is asked, and who asks then does not wait again. Rejects
 * where it does not answer in time.
 */
export function boundedRoom({ freeBytes, timers, stopwatch }: RoomDeps): () => Promise<number> {
  let inFlight: { readonly sinceMs: number; readonly bytes: Promise<number> } | null = null;
  const late = (): never => {
    throw new Error(`the disk has not said within ${ROOM_MS_MAX} ms how much room there is`);
  };
  return async () => {
    const nowMs = stopwatch.elapsedMs();
    const ended = () => {
      inFlight = null;
    };
    inFlight ??= { sinceMs: nowMs, bytes: freeBytes().finally(ended) };
    const ms = ROOM_MS_MAX - (nowMs - inFlight.sinceMs);
    return ms > 0 ? withTimeout(inFlight.bytes, { timers, ms }, late) : late();
  };
}
