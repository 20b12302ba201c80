import { DAY_S } from '../time.js';
import type { Fill } from './fill.js';
import type { RatingSums } from './rating-sums.js';
import { asOfOf, type RatingWindows } from './rating-windows.js';

/**
 * Returns when the wallet traded in the window, by any fill in scope, BUY or SELL (docs/ratings.md,
 * "Activity").
 */
export function sumActivity(
  fills: readonly Fill[],
  windows: RatingWindows,
): Pick<RatingSums, 'firstTradeS' | 'lastTradeS' | 'activeDays' | 'tradeDays'> {
  const days = new Set<number>();
  let firstTradeS: number | null = null;
  let lastTradeS: number | null = null;
  for (const { timeS } of fills) {
    if (timeS < windows.fromS || timeS >= windows.asOfS) continue;
    days.add(asOfOf(timeS));
    firstTradeS = Math.min(firstTradeS ?? timeS, timeS);
    lastTradeS = Math.max(lastTradeS ?? timeS, timeS);
  }
  const firstDayS = asOfOf(windows.fromS);
  const tradeDays = [...days].reduce((bits, dayS) => bits | (1n << BigInt((dayS - firstDayS) / DAY_S)), 0n);
  return { firstTradeS, lastTradeS, activeDays: days.size, tradeDays };
}
