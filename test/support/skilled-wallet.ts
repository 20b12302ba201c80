import type { Fill } from '#domain/rating/fill';
import { EDGES } from '#domain/rating/strength/edge-grid';
import type { RatingFrame, Seen } from '#judge/wallet/rate-entries';
import type { Tape } from './arbitrary-tapes.js';
import { AS_OF_S } from './sample-ratings.js';

const DAY_S = 86_400;
const WHOLE: Seen = { source: 'venue', fromS: null, gap: null, markets: 0 };

export const SKILLED_WALLET = `0x${'ab'.repeat(20)}`;

/** A window that was seen whole, but for what is said of it. */
export const frameOf = (asOfS: number, seen: Partial<Seen> = {}): RatingFrame => ({
  asOfS,
  seen: { ...WHOLE, ...seen },
  edgePrior: EDGES.map(() => 1_000_000),
});

/** A wallet that is worth copying: a hundred and fifty entries, most of which won. */
export function skilledWallet(): { fills: readonly Fill[]; markets: Tape['markets'] } {
  const fills = Array.from(
    { length: 150 },
    (_, n): Fill => ({
      ...{ wallet: SKILLED_WALLET, token: `${n}1`, condition: `c${n}`, event: '', outcomeIndex: n % 2, side: 'BUY' },
      ...{ sizeMicros: 20_000_000, priceMicros: 400_000 + 1_000 * n, tx: `0x${n}`, logIndex: n },
      timeS: AS_OF_S - 89 * DAY_S + Math.floor((n / 150) * 88 * DAY_S),
    }),
  );
  const markets = new Map(
    fills.map(({ condition, timeS }, n) => [
      condition,
      {
        ...{ condition, event: `e${n}`, slug: '', category: n % 3 === 0 ? 'geopolitics' : 'sports', upDown: false },
        ...{ feeRateMicros: 30_000, scheduledEndS: timeS + 3_600, resolvedAtS: timeS + 7_200 },
        payoutMicros: n % 5 === 0 ? [500_000, 500_000] : n % 2 === 0 ? [1_000_000, 0] : [0, 1_000_000],
      },
    ]),
  );
  return { fills, markets };
}
