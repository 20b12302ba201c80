import { DAY_S } from '../time.js';
import type { RatingWindows } from './rating-windows.js';
import type { SecondsSpan } from './unseen.js';

/** What a tape shows of a window. */
export interface SeenWindow {
  /**
   * The first second from which on the tape holds all trades, but for the gaps; the oldest fill, if
   * there are no gaps before it.
   */
  readonly startS: number;
  /** Stretches of time after it of which trades are missing, oldest first. */
  readonly gaps: readonly SecondsSpan[];
}

/**
 * Returns what a tape whose oldest fill is of `firstFillS` shows of a window, where these gaps are
 * known. A gap that reaches over the begin is no gap: the tape begins after it.
 */
export function seenWindow(firstFillS: number, gaps: readonly SecondsSpan[], windows: RatingWindows): SeenWindow {
  let startS = firstFillS;
  const inside: SecondsSpan[] = [];
  for (const gap of gaps.toSorted((a, b) => a.fromS - b.fromS)) {
    if (gap.toS < startS || gap.fromS >= windows.asOfS) continue;
    if (gap.fromS <= Math.max(startS, windows.fromS)) startS = Math.max(startS, gap.toS + 1);
    else inside.push(gap);
  }
  return { startS: Math.min(startS, windows.asOfS), gaps: inside.filter(({ fromS }) => fromS >= startS) };
}

/** Whether a tape that begins there shows all of a window that begins at `fromS`, gaps aside. */
export function seesWholeWindow(startS: number | null, fromS: number): boolean {
  return startS !== null && startS <= fromS;
}

/**
 * Whether so much is missing that what a wallet did before and after says nothing of whether it
 * traded there.
 */
export function isLongGap({ fromS, toS }: SecondsSpan): boolean {
  return toS - fromS + 1 >= DAY_S;
}

/**
 * Returns the first gap on whose days a wallet traded, or that is long; null if none touches it.
 * `tradeDays` has a bit for each day of the window, the first day lowest.
 */
export function touchingGap(
  tradeDays: bigint,
  gaps: readonly SecondsSpan[],
  windows: RatingWindows,
): SecondsSpan | null {
  const dayOf = (timeS: number) => Math.floor(timeS / DAY_S) - Math.floor(windows.fromS / DAY_S);
  const touches = ({ fromS, toS }: SecondsSpan) => {
    const lastS = Math.min(toS, windows.asOfS - 1);
    if (isLongGap({ fromS, toS: lastS })) return true;
    for (let day = dayOf(fromS); day <= dayOf(lastS); day++) {
      if ((tradeDays >> BigInt(Math.max(0, day))) & 1n) return true;
    }
    return false;
  };
  return gaps.find(touches) ?? null;
}
