import { setTimeout as sleep } from 'node:timers/promises';
import { OutsideError } from '#domain/errors';
import type { Clock } from '#system/clock';

/** The pause that an upstream asked for with a 429; it holds for all callers of that upstream. */
export interface Throttle {
  /** Waits out a short pause. Rejects with an OutsideError where it is too long to wait for. */
  pass(): Promise<void>;
  /** Begins a pause as the header says and returns the error of the call that was turned away. */
  begin(retryAfter: string | null): OutsideError;
}

export interface ThrottleOptions {
  readonly upstream: string;
  readonly clock: Clock;
  /** The longest pause that a call waits for. */
  readonly waitMaxMs: number;
  /** The longest pause that is believed. */
  readonly pauseMaxMs: number;
}

/**
 * Returns a throttle that is open. Without a Retry-After there is no pause: the retries' own delays
 * do then.
 */
export function createThrottle({ upstream, clock, waitMaxMs, pauseMaxMs }: ThrottleOptions): Throttle {
  let untilMs = Number.NEGATIVE_INFINITY;
  const waitMs = () => Math.ceil(Math.max(0, untilMs - clock.elapsedMs()));
  const turnedAway = () =>
    new OutsideError(upstream, `wants fewer calls (429); called again in ${waitMs()} ms`, {
      failure: 'retryable',
      status: 429,
    });
  return {
    async pass() {
      const ms = waitMs();
      if (ms > waitMaxMs) throw turnedAway();
      if (ms > 0) await sleep(ms);
    },
    begin(retryAfter) {
      const pauseMs = Math.min(parseRetryAfterMs(retryAfter, clock.nowMs()), pauseMaxMs);
      untilMs = Math.max(untilMs, clock.elapsedMs() + pauseMs);
      return turnedAway();
    },
  };
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3); anything else is no pause. */
function parseRetryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 0;
  const ms = /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
