import type { Clock } from '#ports/clock';

/**
 * Returns the cache rule of an answer that will be made anew at a moment (in seconds since the
 * epoch): its caller, and nobody else, may keep it until then (docs/interface-wallets.md, "Wallet
 * verdict states"). A cache takes `ageS`, which a repeat carries in `Age`, off the time that it is
 * given. Null without a moment, or when it has passed. The clock is looked at only where there is one.
 */
export function untilRefresh(
  nextRefreshS: number | null,
  clock: Pick<Clock, 'nowMs'>,
  ageS: number | null = null,
): string | null {
  if (nextRefreshS === null) return null;
  const leftS = Math.floor((nextRefreshS * 1e3 - clock.nowMs()) / 1e3);
  return leftS > 0 ? `private, max-age=${leftS + (ageS ?? 0)}` : null;
}
