import fc from 'fast-check';
import type { Level } from '#domain/book/book';
import { Ladder } from '#domain/book/ladder';
import type { FeeSchedule, MarketStatus, Side } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';

/** The venue's ticks, 0.1 to 0.0001, in 1e-4 USD. */
const VENUE_TICKS = [1_000, 100, 50, 25, 10, 1] as const;

export const OPEN: MarketStatus = {
  active: true,
  closed: false,
  acceptingOrders: true,
  orderBookEnabled: true,
  umaResolutionStatus: '',
};

export const arbitraryTick = fc.constantFrom(...VENUE_TICKS);

export const arbitraryLevel = (tick: number): fc.Arbitrary<Level> =>
  fc.record({
    priceTicks: fc.integer({ min: 1, max: Math.floor(9_999 / tick) }).map((n) => n * tick),
    sizeMicros: fc.oneof(
      fc.integer({ min: 1, max: 10_000 }).map((n) => n * 10_000),
      fc.integer({ min: 1, max: 2_000_000 }).map((n) => n * 1_000_000),
      fc.integer({ min: 1, max: 50_000_000 }),
    ),
  });

/** Levels of both sides, prices in any order, sides overlapping or not. */
const arbitraryLevels = arbitraryTick.chain((tick) => fc.array(arbitraryLevel(tick), { maxLength: 40 }));

/** An uncrossed pair of sides: bids below a price, asks at or above it. */
const arbitrarySides = fc.tuple(arbitraryTick, fc.integer({ min: 1, max: 9_999 })).chain(([tick, middle]) =>
  fc.array(arbitraryLevel(tick), { maxLength: 40 }).map((levels) => ({
    bids: levels.filter((l) => l.priceTicks < middle),
    asks: levels.filter((l) => l.priceTicks >= middle),
  })),
);

const arbitraryFee: fc.Arbitrary<FeeSchedule> = fc.record({
  rate: fc.constantFrom(0, 0.0175, 0.03, 0.04, 0.05, 0.07, 0.25),
  exponent: fc.constantFrom(1, 1, 1, 1, 2, 0, 0.5, 1.37),
  category: fc.constant('test'),
  known: fc.boolean(),
});

export const arbitraryUsd = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000_000 }).map((cents) => cents / 100),
  fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
  fc.integer({ min: 1, max: 10_000_000 }).map((micros) => micros / 1e6),
);

const arbitraryThresholds = fc
  .tuple(
    fc.constantFrom(0, 0.01, 0.5, 0.57, 1, 1.1, 2.5, 3, 40, 100),
    fc.constantFrom(0, 0.01, 1, 3, 3.3, 50, 100),
    fc.constantFrom(0.5, 5, 60, 86_400),
  )
  .map(([a, b, bookStaleVetoS]) => ({
    ...DEFAULT_THRESHOLDS,
    slippageCautionCents: Math.min(a, b),
    slippageVetoCents: Math.max(a, b),
    bookStaleVetoS,
  }));

const arbitraryStatus: fc.Arbitrary<MarketStatus> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(OPEN) },
  {
    weight: 1,
    arbitrary: fc.record({
      active: fc.boolean(),
      closed: fc.boolean(),
      acceptingOrders: fc.boolean(),
      orderBookEnabled: fc.boolean(),
      umaResolutionStatus: fc.constantFrom('', 'proposed', 'disputed'),
    }),
  },
);

/** The two sides as ladders, in the shape that a question wants. */
export function bookOf(sides: {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}): OrderQuestion['book'] {
  const bids = new Ladder('bids');
  const asks = new Ladder('asks');
  bids.replace(sides.bids);
  asks.replace(sides.asks);
  const bid = bids.bestTicks;
  const ask = asks.bestTicks;
  const crossed = bid !== null && ask !== null && bid >= ask ? { bestBid: bid / 1e4, bestAsk: ask / 1e4 } : null;
  return { bids, asks, listed: true, crossed };
}

/** A moment, and games around the time after which they are certainly over. */
const NOW_MS = Date.UTC(2026, 10, 1);
const arbitraryGameDueMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: -200, max: 200 }).map((hours) => NOW_MS + hours * 3_600_000) },
);

/** Any question at all, most of them about an open market with an uncrossed book. */
export const arbitraryQuestion: fc.Arbitrary<OrderQuestion> = fc.record({
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  usd: arbitraryUsd,
  thresholds: arbitraryThresholds,
  market: fc.record({
    fee: arbitraryFee,
    minOrderShares: fc.constantFrom(0, 5, 15),
    gameDueMs: arbitraryGameDueMs,
    status: arbitraryStatus,
  }),
  evaluatedAtMs: fc.constant(NOW_MS),
  book: fc.oneof(
    { weight: 5, arbitrary: arbitrarySides.map(bookOf) },
    { weight: 1, arbitrary: fc.record({ bids: arbitraryLevels, asks: arbitraryLevels }).map(bookOf) },
  ),
  bookAgeMs: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 200_000 })),
});
