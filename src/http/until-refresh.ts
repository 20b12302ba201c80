const NEXT_REFRESH = /"next_refresh_at":"([^"]+)"/;

/**
 * Returns the cache rule of an answer that names its next refresh: its caller, and nobody else, may keep it until then
 * (interface, "Wallet verdict states", rule 3). Nothing where it names none, or one that has passed.
 */
export function untilRefresh(body: string, nowMs: number): { readonly cacheControl?: string } {
  const [, refreshAt] = NEXT_REFRESH.exec(body) ?? [];
  if (refreshAt === undefined) return {};
  const leftS = Math.floor((Date.parse(refreshAt) - nowMs) / 1e3);
  return leftS > 0 ? { cacheControl: `private, max-age=${leftS}` } : {};
}
