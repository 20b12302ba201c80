import type { UpstreamHealth } from '#ports/venue';
import type { Clock } from '#system/clock';
import { toHealth } from '../http-client/health.js';

/**
 * How long an error of an endpoint that nobody has called since is shown. One that settles nothing
 * is not well because it lists what it supports; but one that nobody pays by may long be well
 * again.
 */
export const ERROR_SHOWN_MS = 5 * 60_000;

interface Endpoint {
  readonly error: string | null;
  readonly atMs: number;
  readonly elapsedMs: number;
}

/**
 * How the endpoints of one upstream stand. The error of each is cleared only by its own success, or
 * by time.
 */
export interface EndpointHealth {
  /** null: it answered well. */
  note(endpoint: string, error: string | null): void;
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
    return `${endpoint}: ${error} at ${new Date(atMs).toISOString()}, and nobody has called it since with success`;
  }

  return {
    note(endpoint, error) {
      endpoints.set(endpoint, { error, atMs: clock.nowMs(), elapsedMs: clock.elapsedMs() });
      if (error !== null) return;
      answeredAtMs = clock.nowMs();
      if (standingError() === null) wellAtMs = answeredAtMs;
    },
    health(name) {
      const error = standingError();
      return toHealth(name, error === null ? answeredAtMs : wellAtMs, error);
    },
  };
}
