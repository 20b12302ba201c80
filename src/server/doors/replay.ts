import type { GateResult } from '#services/gate/call';

/** A paid answer, as far as its age matters. */
type Sold = Pick<Extract<GateResult, { readonly kind: 'answered' | 'paid' }>, 'replayed' | 'madeAtMs'>;

/**
 * Returns how old a repeated answer is, in whole seconds; null when it was made for this request. A repeat keeps its
 * bytes, so only its mark and its age tell a caller that it is not about now. The clock is looked at only for a repeat.
 */
export function replayAgeS({ replayed, madeAtMs }: Sold, clock: { nowMs(): number }): number | null {
  return replayed ? Math.max(0, Math.floor((clock.nowMs() - madeAtMs) / 1e3)) : null;
}
