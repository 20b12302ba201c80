import type { CallClass } from '#ports/venue';

export interface BulkheadLimits {
  readonly callsInFlightMax: number;
  /**
   * Of those, the most that are for nobody who waits: the rest is free for callers at any moment.
   */
  readonly backgroundInFlightMax: number;
  /** Of each class. */
  readonly callsWaitingMax: number;
}

/** There is neither place nor room to wait; the call was not made. */
export class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull';
}

/** Bounds the calls to one upstream that are under way and those that wait. */
export interface Bulkhead {
  /**
   * Makes the call when there is a place: callers first, each class in its order. Rejects with
   * BulkheadFull, or as the call does.
   */
  run<T>(callClass: CallClass, call: () => Promise<T>): Promise<T>;
}

/** Returns a bulkhead with nothing under way. */
export function createBulkhead(limits: BulkheadLimits): Bulkhead {
  const { callsInFlightMax, backgroundInFlightMax, callsWaitingMax } = limits;
  const inFlight: Record<CallClass, number> = { caller: 0, background: 0 };
  const waiting: Record<CallClass, (() => void)[]> = { caller: [], background: [] };

  function hasSlot(callClass: CallClass): boolean {
    if (inFlight.caller + inFlight.background >= callsInFlightMax) return false;
    return callClass === 'caller' || inFlight.background < backgroundInFlightMax;
  }

  /** The place is taken before the waiting call goes on, so that nobody comes in between. */
  function admitNext(): void {
    for (const callClass of ['caller', 'background'] as const) {
      if (!hasSlot(callClass)) continue;
      const admit = waiting[callClass].shift();
      if (admit === undefined) continue;
      inFlight[callClass]++;
      admit();
      return;
    }
  }

  async function enter(callClass: CallClass): Promise<void> {
    if (hasSlot(callClass)) {
      inFlight[callClass]++;
      return;
    }
    if (waiting[callClass].length >= callsWaitingMax) throw new BulkheadFull();
    await new Promise<void>((resolve) => waiting[callClass].push(resolve));
  }

  return {
    async run(callClass, call) {
      await enter(callClass);
      try {
        return await call();
      } finally {
        inFlight[callClass]--;
        admitNext();
      }
    },
  };
}
