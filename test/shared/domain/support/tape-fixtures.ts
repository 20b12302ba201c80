import { parse } from 'csv-parse/sync';
import type { Fill } from '#domain/rating/fill';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG, SCORE_2_CONFIG } from '#domain/rating/rating-config';
import type { PoolSums, RatingSums } from '#domain/rating/rating-sums';
import type { TapeMarket } from '#domain/rating/tape-market';
import { readCapture, readCaptureJson } from '#test/support/captures';

export const CONFIG = RATING_CONFIG;

/** What the recorded expectations were made with: ratings before they asked for a shrunken edge. */
export { SCORE_2_CONFIG };

/** 2026-07-01T00:00:00Z */
export const AS_OF_S = 1_782_864_000;

const micros = (value: number | string) => Math.round(Number(value) * 1e6);
export const seconds = (iso: string) => Date.parse(iso) / 1000;

/** A BUY of 20 shares of one market; every test says only what it is about. */
export function fillOf(changes: Partial<Fill>): Fill {
  return {
    wallet: '0xaaaa',
    token: 'M1:0',
    condition: 'M1',
    event: '',
    outcomeIndex: 0,
    side: 'BUY',
    sizeMicros: 20_000_000,
    priceMicros: 480_000,
    timeS: AS_OF_S - 10 * 86_400,
    tx: '0x1',
    logIndex: null,
    ...changes,
  };
}

/** A politics market that paid its first outcome a day ago. */
export function marketOf(changes: Partial<TapeMarket>): TapeMarket {
  return {
    condition: 'M1',
    event: '',
    slug: '',
    category: 'politics',
    feeRateMicros: 40_000,
    upDown: false,
    scheduledEndS: AS_OF_S - 86_400,
    resolvedAtS: AS_OF_S - 86_400,
    payoutMicros: [1_000_000, 0],
    ...changes,
  };
}

/** What is equal to the last digit, in the words of the expected files. */
export const exactColumns = (rating: Rating) => ({
  n_first_entries: rating.firstEntries,
  n_resolved: rating.resolved,
  n_pending: rating.pending,
  n_early_resolved: rating.earlyResolved,
  win_rate_pct: rating.winRatePct,
  roi_slippage_basis_pct: rating.roiSlippagePct,
  roi_fee_inclusive_pct: rating.roiFeePct,
  avg_entry_price: rating.avgEntryPrice,
  clips_per_entry_avg: rating.clipsPerEntryAvg,
  both_sides_pct: rating.bothSidesPct,
  both_sided_markets: rating.bothSidedMarkets,
  markets: rating.markets,
  near_certain_pct: rating.nearCertainPct,
  first_trade_at: rating.firstTradeS,
  last_trade_at: rating.lastTradeS,
  active_days: rating.activeDays,
});

export const byCondition = (...markets: readonly TapeMarket[]) =>
  new Map(markets.map((market) => [market.condition, market]));

export const EMPTY_POOL: PoolSums = {
  entries: 0,
  events: 0,
  wins: 0,
  returnSlippageNano: 0n,
  returnFeeNano: 0n,
  varianceNano: 0n,
  eventRootsAtto: 0n,
  scoreNano: 0n,
  weightNano: 0n,
  eventWeightRootsAtto: 0n,
  bestEventNano: 0n,
};

/**
 * A pool of one-entry events at even odds (v 1, w 4): its z is the sum of returns over the root of
 * the count, its edge half of the mean return.
 */
export function poolOf(entries: number, returnFeeNano: bigint, changes: Partial<PoolSums> = {}): PoolSums {
  return {
    entries,
    events: entries,
    wins: entries,
    returnSlippageNano: returnFeeNano,
    returnFeeNano,
    varianceNano: BigInt(entries) * 1_000_000_000n,
    eventRootsAtto: BigInt(entries) * 1_000_000_000_000_000_000n,
    scoreNano: 2n * returnFeeNano,
    weightNano: BigInt(entries) * 4_000_000_000n,
    eventWeightRootsAtto: BigInt(entries) * 4_000_000_000_000_000_000n,
    bestEventNano: 0n,
    ...changes,
  };
}

/**
 * Sums of a wallet that every row of the decision table lets pass: 100 entries, 50 in the window's
 * pool, well above luck.
 */
export function sumsOf(changes: Partial<RatingSums> = {}): RatingSums {
  return {
    wallet: '0xaaaa',
    firstEntries: 100,
    resolved: 100,
    earlyResolved: 0,
    unconfirmed: 0,
    tradeDays: 0n,
    wins: 60,
    returnSlippageNano: 30_000_000_000n,
    returnFeeNano: 28_000_000_000n,
    entryPriceMicros: 48_000_000n,
    priceBuckets: [0, 0, 0, 0, 100, 0, 0, 0, 0, 0],
    categories: { sports: 50, politics: 30, other: 20, crypto: 0 },
    clips: 120,
    markets: 100,
    bothSidedMarkets: 0,
    nearCertain: 0,
    roundTrips: 0,
    sellFirst: 0,
    upDownExcluded: 0,
    undescribedMarkets: 0,
    firstTradeS: AS_OF_S - 80 * 86_400,
    lastTradeS: AS_OF_S - 86_400,
    activeDays: 40,
    older: EMPTY_POOL,
    inSample: poolOf(25, 7_000_000_000n),
    outOfSample: poolOf(25, 7_000_000_000n),
    window: poolOf(50, 24_000_000_000n),
    ...changes,
  };
}

/** An entry as a golden file expects it. */
export interface GoldenEntry {
  readonly token: string;
  readonly ts: string;
  readonly entry_price: number;
  readonly copier_price: number;
  readonly fee_per_dollar: number;
  readonly counted: boolean;
  readonly early_resolved: boolean;
  readonly ret_slippage: number | null;
  readonly ret_fee: number | null;
  readonly clips: number;
  readonly first_clip_shares: number;
}

interface GoldenFill {
  readonly wallet: string;
  readonly token: string;
  readonly condition: string;
  readonly event: string;
  readonly outcome_index: number;
  readonly side: Fill['side'];
  readonly size: number;
  readonly price: number;
  readonly ts: string;
  readonly tx: string;
}

interface GoldenMarket {
  readonly category: string;
  readonly fee_rate: number;
  readonly updown: boolean;
  readonly scheduled_end: string | null;
  readonly resolved_at: string | null;
  readonly payout: readonly number[] | null;
}

interface GoldenFile {
  readonly as_of: string;
  readonly wallet: string;
  readonly fills: readonly GoldenFill[];
  readonly markets: Readonly<Record<string, GoldenMarket>>;
  readonly expected_entries?: readonly GoldenEntry[];
  readonly expected: Readonly<Record<string, unknown>>;
  readonly expected_with_low_floors?: {
    readonly overrides: Readonly<Record<string, number>>;
    readonly verdict: string;
    readonly reason: string;
  };
}

export const GOLDEN_FILES = [
  'golden_a',
  'golden_b',
  'golden_c1_16_13_10',
  'golden_c2_15_13_10',
  'golden_c3_16_13_7',
  'golden_c4_16_9_10',
  'golden_c5_11_10_8',
  'golden_c6_12_10_8',
] as const;

/** Reads a golden wallet: its tape in our terms, and what is expected of it. */
export function readGolden(name: (typeof GOLDEN_FILES)[number]) {
  const file = readCaptureJson(`tape/golden/${name}.json`) as GoldenFile;
  return {
    ...file,
    asOfS: seconds(file.as_of),
    fills: file.fills.map(({ outcome_index, size, price, ts, ...rest }): Fill => {
      const numbers = { outcomeIndex: outcome_index, sizeMicros: micros(size), priceMicros: micros(price) };
      return { ...rest, ...numbers, timeS: seconds(ts), logIndex: null };
    }),
    markets: byCondition(
      ...Object.entries(file.markets).map(([condition, received]) =>
        marketOf({
          condition,
          category: received.category,
          feeRateMicros: micros(received.fee_rate),
          upDown: received.updown,
          scheduledEndS: received.scheduled_end === null ? null : seconds(received.scheduled_end),
          resolvedAtS: received.resolved_at === null ? null : seconds(received.resolved_at),
          payoutMicros: received.payout?.map(micros) ?? null,
        }),
      ),
    ),
  };
}

export const readCsv = (name: string): Record<string, string>[] =>
  parse(readCapture(name), { columns: true, skip_empty_lines: true });

/**
 * The moment that the synthetic tape is rated at: 2026-06-29T00:00:00Z. The tape goes on after it.
 */
export const SYNTHETIC_AS_OF_S = 1_782_691_200;

/** Reads the synthetic tape and what is expected of each of its wallets. */
export function readSynthetic() {
  const secondsOrNull = (text: string) => (text === '' ? null : Number(text));
  return {
    fills: readCsv('tape/synthetic/fills.csv.gz').map((row): Fill => {
      const { wallet = '', token = '', condition = '', event = '', side, tx = '' } = row;
      return {
        ...{ wallet, token, condition, event, tx, side: side === 'BUY' ? 'BUY' : 'SELL', logIndex: null },
        outcomeIndex: Number(row.outcome_index),
        sizeMicros: micros(row.size!),
        priceMicros: micros(row.price!),
        timeS: Number(row.timestamp),
      };
    }),
    markets: byCondition(
      ...readCsv('tape/synthetic/markets.csv.gz').map((row) =>
        marketOf({
          condition: row.condition!,
          category: row.category!,
          feeRateMicros: micros(row.fee_rate!),
          scheduledEndS: secondsOrNull(row.scheduled_end!),
          resolvedAtS: secondsOrNull(row.resolved_at!),
          payoutMicros: row.payout_0 === '' ? null : [micros(row.payout_0!), micros(row.payout_1!)],
        }),
      ),
    ),
    expected: readCsv('tape/synthetic/expected_ratings_score.csv.gz'),
  };
}
