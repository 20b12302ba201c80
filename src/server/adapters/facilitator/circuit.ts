import type { Stopwatch } from '#system/stopwatch';

export interface CircuitLimits {
  /**
   * Payments that failed within the window, with no success between them, after which the circuit
   * is open.
   */
  readonly breakerFailures: number;
  readonly breakerWindowMs: number;
  /**
   * While it is open, and the facilitator has shown that it is there, one call is let through as
   * often as this, whether or not the one before has ended.
   */
  readonly breakerPauseMs: number;
}

/** Whether a facilitator is left alone after failures. It only knows: who asks decides. */
export interface Circuit {
  /** Whether the next call had better go to another facilitator. */
  isOpen(): boolean;
  /** A call begins. */
  begin(): void;
  succeed(): void;
  /** A call for this payment failed; however often it is tried, a payment counts once. */
  fail(payment: string): void;
  /**
   * The facilitator has answered a question that costs nobody anything. Without it no payment is
   * tried out on one that fails; that it works again only a payment can show.
   */
  noteThere(): void;
}

/** Returns a circuit that is closed. */
export function createCircuit(stopwatch: Stopwatch, limits: CircuitLimits): Circuit {
  const { breakerFailures, breakerWindowMs, breakerPauseMs } = limits;
  /** When each payment failed last, the oldest first; never more of them than open the circuit. */
  const failures = new Map<string, number>();
  let nextCallAtMs = Number.NEGATIVE_INFINITY;
  /** Whether it was there since the last failure. */
  let isThere = true;

  function isBroken(): boolean {
    const sinceMs = stopwatch.elapsedMs() - breakerWindowMs;
    for (const [payment, atMs] of failures) if (atMs <= sinceMs) failures.delete(payment);
    return failures.size >= breakerFailures;
  }

  function pause(): void {
    nextCallAtMs = stopwatch.elapsedMs() + breakerPauseMs;
  }

  return {
    isOpen: () => isBroken() && (!isThere || stopwatch.elapsedMs() < nextCallAtMs),
    begin() {
      if (isBroken()) pause();
    },
    succeed: () => failures.clear(),
    fail(payment) {
      const wasBroken = isBroken();
      isThere = false;
      failures.delete(payment);
      failures.set(payment, stopwatch.elapsedMs());
      if (failures.size > breakerFailures) failures.delete(failures.keys().next().value!);
      if (!wasBroken && isBroken()) pause();
    },
    noteThere() {
      isThere = true;
    },
  };
}
