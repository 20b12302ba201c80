import { rateSums } from '#domain/rating/rate-sums';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { RatingWindows } from '#domain/rating/rating-windows';
import { type SeenWindow, touchingGap } from '#domain/rating/seen-window';
import { capUnseen, type Unseen } from '#domain/rating/unseen';

/** What a run looks at, and how much of it the tape shows. */
export interface View {
  readonly windows: RatingWindows;
  readonly seen: SeenWindow;
}

/**
 * Rates a wallet of the tape: no COPY of less than the whole window. What the board says of all is
 * not said of each.
 */
export function rateSeen(sums: RatingSums, { windows, seen }: View, config: RatingConfig) {
  const gap = touchingGap(sums.tradeDays, seen.gaps, windows);
  const rating = rateSums(sums, windows.asOfS, config);
  const unseen: Unseen = { beforeS: seen.startS, gap, markets: sums.undescribedMarkets };
  return { rating: capUnseen(rating, unseen, windows.fromS), unseen: { ...unseen, beforeS: null } };
}
