import { EMPTY_POOL } from '#domain/rating/rate-pool';
import type { PoolRating, Rating } from '#domain/rating/rating';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Board } from '#ports/ratings-store';

export { EMPTY_POOL };

/** 2026-08-01T00:00:00Z. */
export const AS_OF_S = 1_785_542_400;

export const POOL: PoolRating = {
  entries: 40,
  events: 38,
  winRate: 0.525,
  roiSlippage: 0.3125,
  roiFee: 0.28254,
  z: 1.45206,
  standardError: 0.2,
  ciLow: -0.1,
  ciHigh: 0.67,
  roiWithoutBestEvent: 0.25,
};

/** A rating with plain numbers and a few changed. */
export function sampleRating(changes: Partial<Rating> = {}): Rating {
  return {
    wallet: `0x${'ab'.repeat(20)}`,
    asOfS: AS_OF_S,
    verdict: 'COPY',
    reason: 'validated',
    reasonText: 'a sentence of the decision table',
    firstEntries: 104,
    resolved: 100,
    pending: 4,
    earlyResolved: 0,
    winRatePct: 52,
    roiSlippagePct: 30,
    roiFeePct: 27,
    avgEntryPrice: 0.3892,
    priceBuckets: [0, 0, 0, 100, 0, 0, 4, 0, 0, 0],
    categoryMixPct: { sports: 90, politics: 10, other: 0, crypto: 0 },
    clipsPerEntryAvg: 1.0385,
    markets: 104,
    bothSidedMarkets: 1,
    bothSidesPct: 0.9615,
    nearCertainPct: 0,
    roundTripPct: 0,
    sellFirst: 0,
    upDownExcluded: 3,
    firstTradeS: AS_OF_S - 90 * 86_400,
    lastTradeS: AS_OF_S - 1,
    activeDays: 90,
    older: EMPTY_POOL,
    inSample: POOL,
    outOfSample: { ...POOL, entries: 17, events: 16 },
    window: { ...POOL, entries: 100, events: 90 },
    sample: 'solid',
    entriesNeeded: 0,
    ...changes,
  };
}

/** The rating as it is stored. */
export function storedRating(changes: Partial<Rating> = {}, name: string | null = 'somebody'): StoredRating {
  return { rating: sampleRating(changes), name, computedAtMs: AS_OF_S * 1e3 + 12_000_345, config: 'c0ffee00c0ffee00' };
}

/** A board in force. */
export function sampleBoard(changes: Partial<Board> = {}): Board {
  return {
    run: 7,
    asOfS: AS_OF_S,
    computedAtMs: AS_OF_S * 1e3 + 12_000_345,
    config: 'c0ffee00c0ffee00',
    tapeStartS: AS_OF_S - 400 * 86_400,
    walletsSeen: 10,
    walletsByVerdict: { COPY: 1, WATCH: 2, VETO: 3, NO_COVERAGE: 4 },
    placeboCopies: 2,
    leaderboard: [],
    redList: [],
    ...changes,
  };
}
