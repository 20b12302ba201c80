import { FEE_FREE } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { between, chance, pick } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import { bookOf, OPEN } from './arbitrary-books.js';

/** The venue's ticks, in 1e-4 USD. */
const TICKS = [100, 50, 25, 10, 1] as const;
const LEVELS_MAX = 25;

/**
 * Returns a question as it comes by the million: small and huge books and orders, sizes in whole
 * shares, in cents of a share and in micro-shares, equal and uneven levels, so that halves and
 * whole cents are met as well as what no double holds.
 */
export function randomQuestion(random: Random): OrderQuestion {
  const tick = pick(random, TICKS);
  const middle = between(random, 1, Math.floor(9_999 / tick)) * tick;
  const size = sizesOf(random);
  const levels = (direction: 1 | -1) =>
    Array.from({ length: between(random, 0, LEVELS_MAX) }, (_, depth) => {
      const gap = chance(random, 0.8) ? 0 : between(random, 1, 20);
      return { priceTicks: middle + direction * tick * (depth + gap + (direction === 1 ? 1 : 0)), sizeMicros: size() };
    }).filter(({ priceTicks }) => priceTicks > 0 && priceTicks < 10_000);
  const caution = pick(random, [1, 1, 1, 0, 0.01, 0.5, 0.57, 2.5, 40]);
  return {
    side: pick(random, ['BUY', 'SELL']),
    usd: usdOf(random),
    thresholds: { ...DEFAULT_THRESHOLDS, slippageCautionCents: caution, slippageVetoCents: Math.max(3, caution) },
    market: {
      fee: {
        ...FEE_FREE,
        rate: pick(random, [0.04, 0, 0.0175, 0.07, 0.25]),
        exponent: pick(random, [1, 1, 1, 2, 0, 4, 0.5, 1.37]),
      },
      minOrderShares: pick(random, [5, 15, 0]),
      status: OPEN,
    },
    book: bookOf({ bids: levels(-1), asks: levels(1) }),
    bookAgeMs: between(random, 0, 4_000),
  };
}

/** One kind of sizes for a whole book. */
function sizesOf(random: Random): () => number {
  const unit = pick(random, [1, 10, 10_000, 1_000_000, 1_000_000_000]);
  const most = pick(random, [3, 200, 100_000, 9_000_000]);
  const isEven = chance(random, 0.2);
  const first = between(random, 1, most) * unit;
  return () => (isEven ? first : between(random, 1, most) * unit);
}

/** Cents to 10,000,000 USD, each order of magnitude as often. */
function usdOf(random: Random): number {
  const usd = 10 ** (random.next() * 9 - 2);
  const unit = pick(random, [1, 100, 1e6]);
  return Math.max(1e-6, Math.round(usd * unit) / unit);
}
