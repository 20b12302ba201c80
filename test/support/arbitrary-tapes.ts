import fc from 'fast-check';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';

/**
 * Fills of many wallets as bad sources tell them, the markets that are known, and the moment to
 * rate them at.
 */
export interface Tape {
  readonly fills: readonly Fill[];
  readonly markets: ReadonlyMap<string, TapeMarket>;
  readonly asOfS: number;
}

/** How large a tape may get. */
export interface TapeSize {
  readonly wallets: number;
  readonly conditions: number;
  /** Fills that start something; up to three others follow each. */
  readonly starts: number;
}

const DAY_S = 86_400;
/** 2026-07-01T00:00:00Z */
const AS_OF_S = 1_782_864_000;

/**
 * Tapes with what real ones are full of: exact repeats, equal rows of one page, the same fill with
 * and without its log position, fills under 5 shares, ties within a second, orders split over fills, SELLs before and
 * after, both outcomes, up/down markets, 50/50 payouts, markets that nobody told of, settled early,
 * settled after the moment, and times on the edge of every window.
 */
export function arbitraryTape(size: Partial<TapeSize> = {}): fc.Arbitrary<Tape> {
  const { wallets, conditions, starts } = { wallets: 3, conditions: 40, starts: 120, ...size };
  return arbitraryAsOf.chain((asOfS) =>
    fc
      .record({
        markets: fc.array(arbitraryMarket(asOfS), {
          minLength: Math.floor(conditions * 0.75),
          maxLength: conditions,
          size: 'max',
        }),
        bursts: fc.array(arbitraryBurst(asOfS, wallets, conditions), { maxLength: starts, size: 'max' }),
      })
      .map(({ markets, bursts }) => ({
        asOfS,
        fills: bursts.flat().flatMap(toFills),
        // Conditions beyond the end of this list, and those told of by null, are in the fills and
        // in no market row.
        markets: new Map(
          markets.flatMap((market, index) =>
            market === null ? [] : [[`c${index}`, { ...market, condition: `c${index}` }] as const],
          ),
        ),
      })),
  );
}

const arbitraryAsOf = fc.integer({ min: -400, max: 400 }).map((days) => AS_OF_S + days * DAY_S);

type Weighted<T> = { readonly weight: number; readonly arbitrary: fc.Arbitrary<T> };
const often = <T>(weight: number, ...values: readonly T[]): Weighted<T> => ({
  weight,
  arbitrary: fc.constantFrom(...values),
});

/**
 * Some seconds in each of the windows and at their edges, so that many fills meet in one second;
 * and any other second.
 */
function arbitraryTime(asOfS: number): fc.Arbitrary<number> {
  const edges = [0, 30, 60, 90].flatMap((days) => [-1, 0, 1].map((s) => asOfS - days * DAY_S + s));
  const busy = [0.5, 1.5, 3, 29, 31, 45, 61, 75, 91, 200].map((days) => asOfS - days * DAY_S);
  const near = fc
    .tuple(
      fc.constantFrom(...busy),
      fc.constantFrom(1, 30, 3_599, 3_600, 3_601, DAY_S - 1, DAY_S, DAY_S + 1),
      fc.constantFrom(-1, 1),
    )
    .map(([timeS, distanceS, sign]) => timeS + sign * distanceS);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...busy) },
    { weight: 2, arbitrary: fc.constantFrom(...edges) },
    { weight: 3, arbitrary: near },
    { weight: 3, arbitrary: fc.integer({ min: asOfS - 95 * DAY_S, max: asOfS + DAY_S }) },
  );
}

const arbitraryPrice = fc.oneof(
  often(4, 480_000, 490_000, 500_000, 510_000),
  often(2, 99_999, 100_000, 900_000, 900_001, 949_999, 950_000, 979_000, 979_001, 990_000, 999_000, 1_000, 700_000),
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 10_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 999_000 }) },
);

const arbitrarySize = fc.oneof(
  often(4, 10_000_000, 20_000_000, 100_000_000),
  often(2, 4_990_000, 4_999_999, 5_000_000, 9_999_999, 9_000_000),
  { weight: 2, arbitrary: fc.integer({ min: 5_000_000, max: 2_000_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000_000 }) },
);

const EVENTS = ['', 'f1', '', 'f2', 'F2'];

/** One fill as it happened, and how often its sources told it with its position and without. */
interface Row {
  readonly fill: Omit<Fill, 'logIndex' | 'event'>;
  readonly received: readonly [withPosition: number, without: number];
  /** How many fills of one page were equal to it. */
  readonly equal: number;
}

const arbitraryReported = fc.oneof(
  often<Row['received']>(6, [1, 0], [0, 1]),
  often<Row['received']>(1, [0, 2], [2, 0], [1, 1], [2, 2]),
);

const arbitraryEqual = fc.oneof(often(8, 0), often(1, 1, 2));

/** A fill, and what the wallet did with the same token around it. */
function arbitraryBurst(asOfS: number, wallets: number, conditions: number): fc.Arbitrary<readonly Row[]> {
  const start = fc.record({
    wallet: fc.integer({ min: 1, max: wallets }),
    condition: fc.integer({ min: 0, max: conditions }),
    outcomeIndex: fc.oneof(often(3, 0), often(1, 1)),
    side: fc.constantFrom<Fill['side']>('BUY', 'BUY', 'BUY', 'SELL'),
    sizeMicros: arbitrarySize,
    priceMicros: arbitraryPrice,
    timeS: arbitraryTime(asOfS),
    tx: arbitraryTx,
  });
  return fc
    .record({
      start,
      received: arbitraryReported,
      equal: arbitraryEqual,
      followers: fc.array(arbitraryFollower, { maxLength: 3, size: 'max' }),
    })
    .map(({ start: { wallet, condition, ...rest }, received, equal, followers }) => {
      const token = `t${condition}-${rest.outcomeIndex}`;
      const fill = { ...rest, wallet: `0xw${wallet}`, condition: `c${condition}`, token };
      return [{ fill, received, equal }, ...followers.map((follower) => follow(fill, follower))];
    });
}

const arbitraryTx = fc.oneof(often(1, ''), often(2, '0xa1', '0xa2', '0xb'), {
  weight: 5,
  arbitrary: fc.integer({ min: 0, max: 999 }).map((n) => `0x${n.toString(16)}`),
});

/**
 * The same order again, another one in the same second, or something later; bought or sold near the
 * price or far from it.
 */
const arbitraryFollower = fc.record({
  /** null: the order of the start. */
  tx: fc.option(arbitraryTx, { freq: 2 }),
  laterS: fc.oneof(often(3, 0), often(2, 1, 600, 3_600, 3_601, DAY_S, DAY_S + 1), often(1, -1, -600)),
  sells: fc.boolean(),
  priceStepMicros: fc.oneof(often(3, 0, 10_000, -10_000), often(1, 5_000, 10_001, 1, 200_000)),
  sizePct: fc.oneof(often(3, 100, 90, 95), often(1, 89, 50, 200, 33)),
  received: arbitraryReported,
  equal: arbitraryEqual,
});

type Follower = typeof arbitraryFollower extends fc.Arbitrary<infer Value> ? Value : never;

function follow(start: Row['fill'], follower: Follower): Row {
  const { tx, laterS, sells, priceStepMicros, sizePct, received, equal } = follower;
  const fill: Row['fill'] = {
    ...start,
    tx: tx ?? start.tx,
    timeS: start.timeS + laterS,
    side: sells ? 'SELL' : 'BUY',
    priceMicros: Math.min(Math.max(start.priceMicros + priceStepMicros, 1_000), 999_000),
    sizeMicros: Math.max(1, Math.floor((start.sizeMicros * sizePct) / 100)),
  };
  return { fill, received, equal };
}

/** Positions are the row's own in the whole tape: no two wallets and no two fills share one. */
function toFills({ fill, received: [withPosition, without], equal }: Row, index: number): readonly Fill[] {
  // Told by the source, so that equal rows tell the same; the fills of one order need not.
  const event = EVENTS[(fill.timeS + fill.priceMicros + fill.outcomeIndex) % EVENTS.length] ?? '';
  const positioned: Fill = { ...fill, event, logIndex: index };
  const bare: Fill = { ...fill, event, logIndex: null };
  const numbered = Array.from({ length: equal }, (_, n): Fill => ({ ...bare, occurrence: n + 1 }));
  return [...Array<Fill>(withPosition).fill(positioned), ...Array<Fill>(without).fill(bare), ...numbered];
}

/** A market row without its condition, or null for one that nobody told of. */
function arbitraryMarket(asOfS: number): fc.Arbitrary<Omit<TapeMarket, 'condition'> | null> {
  const times = fc.oneof(
    often(6, asOfS - 40 * DAY_S, asOfS - 5 * DAY_S, asOfS - 1),
    often(2, asOfS, asOfS + 1, asOfS + 40 * DAY_S),
  );
  const market = fc.record({
    event: fc.constantFrom('', 'e1', 'e2', 'e3', 'e4', 'E4', 'f2'),
    slug: fc.constantFrom('', 'will-it-rain'),
    category: fc.constantFrom('sports', 'politics', 'geopolitics', 'crypto', 'culture', 'other', 'never heard of'),
    feeRateMicros: fc.constantFrom(0, 30_000, 40_000, 50_000, 70_000, 17_500, 250_000),
    upDown: fc.oneof(often(7, false), often(1, true)),
    scheduledEndS: fc.oneof({ weight: 6, arbitrary: times }, often(1, null)),
    resolvedAtS: fc.oneof({ weight: 8, arbitrary: times }, often(1, null)),
    payoutMicros: fc.oneof(
      often<readonly number[] | null>(8, [1_000_000, 0], [1_000_000, 0], [0, 1_000_000]),
      often<readonly number[] | null>(2, [500_000, 500_000], [333_333, 666_667], null),
    ),
  });
  return fc.option(market, { freq: 9, nil: null });
}
