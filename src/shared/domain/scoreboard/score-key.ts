/** The verdicts that somebody acts on; a VETO is not priced again. */
export const SCORED_VERDICTS = ['OK', 'CAUTION'] as const;
export type ScoredVerdict = (typeof SCORED_VERDICTS)[number];

/** The sizes that are judged, in USD. */
export const SCORED_SIZES = [100, 1_000] as const;
export type ScoredSize = (typeof SCORED_SIZES)[number];

/**
 * When an order is priced again: so many seconds after its verdict, or after the time for which the
 * market holds back a marketable order (`delay`; only where it does).
 */
export const HORIZONS = ['1', '3', '10', '60', 'delay'] as const;
export type Horizon = (typeof HORIZONS)[number];

/** What a count is kept by. */
export interface ScoreKey {
  readonly verdict: ScoredVerdict;
  readonly usd: ScoredSize;
  readonly horizon: Horizon;
  /** The fee category of the market, in the venue's words. */
  readonly category: string;
}

/** Returns the text that a cell is found by. */
export function scoreKeyText({ verdict, usd, horizon, category }: ScoreKey): string {
  return `${verdict}/${usd}/${horizon}/${category}`;
}

/** Returns the horizons of a market by their milliseconds: of two that coincide both count. */
export function horizonsOf(matchingDelayS: number): ReadonlyMap<number, readonly Horizon[]> {
  const byMs = new Map<number, Horizon[]>();
  for (const horizon of HORIZONS) {
    const seconds = horizon === 'delay' ? matchingDelayS : Number(horizon);
    if (seconds > 0) byMs.set(seconds * 1e3, [...(byMs.get(seconds * 1e3) ?? []), horizon]);
  }
  return byMs;
}

/** Returns the scored size that stands for an order: the smallest that is not below it. */
export function sizeFor(usd: number): ScoredSize {
  return usd <= 100 ? 100 : 1_000;
}
