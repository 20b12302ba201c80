import type { UpstreamHealth } from '#ports/venue';

/**
 * Returns how an upstream stands by its last answer and what went wrong since: neither is "never
 * asked".
 */
export function toHealth(name: string, lastOkAtMs: number | null, lastError: string | null): UpstreamHealth {
  const ok = lastError !== null ? false : lastOkAtMs === null ? null : true;
  return { name, ok, lastOkAtMs, lastError };
}
