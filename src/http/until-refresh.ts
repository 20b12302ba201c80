/**
 * Returns the cache rule of an answer that will be made anew at a moment (in seconds since the
 * epoch): its caller, and nobody else, may keep it until then (docs/interface-wallets.md, "Wallet
 * verdict states"). Nothing for null, or when the moment has passed.
 */
export function untilRefresh(nextRefreshS: number | null, nowMs: number): { readonly cacheControl?: string } {
  if (nextRefreshS === null) return {};
  const leftS = Math.floor((nextRefreshS * 1e3 - nowMs) / 1e3);
  return leftS > 0 ? { cacheControl: `private, max-age=${leftS}` } : {};
}
