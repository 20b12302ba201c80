import type { UpstreamHealth } from '#ports/venue';
import type { Clock } from '#system/clock';
import { toHealth } from '../http-client/health.js';

/**
 * How long an error that an endpoint answered with is shown if nobody has called it since. One that
 * settles nothing is not well because it lists what it supports; but one that nobody pays by may
 * long be well again.
 */
export const ERROR_SHOWN_MS = 60_000;

interface Endpoint {
  readonly error: string | null;
  readonly isAway: boolean;
  readonly atMs: number;
  readonly elapsedMs: number;
}

/**
 * How the endpoints of one upstream stand. An error that one answered with is cleared only by its
 * own success, or by time; that one was away, by any sign of life.
 */
export interface EndpointHealth {
  /** `error` is null if it answered well; `isAway`: there was no answer at all. */
  note(endpoint: string, error: string | null, isAway: boolean): void;
  /** The upstream is there again, whatever it is worth. */
  noteThere(): void;
  health(name: string): UpstreamHealth;
}

/** Returns the health of an upstream whose endpoints were not tried yet. */
export function createEndpointHealth(clock: Clock): EndpointHealth {
  const endpoints = new Map<string, Endpoint>();
  let answeredAtMs: number | null = null;
  /** While nothing was wrong: that one endpoint answers does not make well what another fails to do. */
  let wellAtMs: number | null = null;

  /** The error that was noted last, of those that stand. */
  function standingError(): string | null {
    const sinceMs = clock.elapsedMs() - ERROR_SHOWN_MS;
    const [last] = [...endpoints]
      .filter(([, { error, elapsedMs }]) => error !== null && elapsedMs > sinceMs)
      .toSorted(([, one], [, other]) => other.elapsedMs - one.elapsedMs);
    if (last === undefined) return null;
    const [endpoint, { error, atMs }] = last;
    return `${endpoint}: ${error} at ${new Date(atMs).toISOString()}, and no call has succeeded since`;
  }

  return {
    note(endpoint, error, isAway) {
      endpoints.set(endpoint, { error, isAway, atMs: clock.nowMs(), elapsedMs: clock.elapsedMs() });
      if (error !== null) return;
      answeredAtMs = clock.nowMs();
      if (standingError() === null) wellAtMs = answeredAtMs;
    },
    noteThere() {
      for (const [endpoint, { isAway }] of endpoints) if (isAway) endpoints.delete(endpoint);
    },
    health(name) {
      const error = standingError();
      return toHealth(name, error === null ? answeredAtMs : wellAtMs, error);
    },
  };
}
