/**
 * Returns the cache rule of an answer that will be made anew at a moment (in seconds since the
 * epoch): its caller, and nobody else, may keep it until then (docs/interface-wallets.md, "Wallet
 * verdict states"). A cache takes `ageS`, which a repeat carries in `Age`, off the time that it is
 * given. Nothing for null, or when the moment has passed.
 */
export function untilRefresh(
  nextRefreshS: number | null,
  nowMs: number,
  ageS: number | null = null,
): { readonly cacheControl?: string } {
  if (nextRefreshS === null) return {};
  const leftS = Math.floor((nextRefreshS * 1e3 - nowMs) / 1e3);
  return leftS > 0 ? { cacheControl: `private, max-age=${leftS + (ageS ?? 0)}` } : {};
}
