import { PROFILE_METHOD } from '#api/wallets/wallet-method';
import type { NoCoverage, Queued, WalletProfile } from '#api/wallets/wallet-profile';
import { ENTRY_PRICE_RANGES } from '#api/wallets/wallet-terms';
import type { TapeWallet } from '#domain/ids';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import { DAY_S, isoDay } from '#domain/time';
import {
  seenDays,
  toCertainty,
  toFreshness,
  toInstant,
  toLateNote,
  toMethod,
  toName,
  toPool,
  toReasons,
  toStrength,
  toTapeNote,
} from './body-parts.js';

/** What a body needs to know beside the rating. Times in seconds. */
export interface BodyFacts {
  readonly nextRefreshS: number;
  /**
   * Oldest fill of the tape that the rating was made from; null or absent if nothing is cut off.
   */
  readonly tapeStartS?: number | null;
  /** A newer rating should be in force. */
  readonly isLate?: boolean;
}

/**
 * Returns the body of preflight_copy for a covered wallet (docs/interface-wallets.md, "Wallet
 * profile").
 */
export function toWalletProfile(stored: StoredRating, facts: BodyFacts): WalletProfile {
  const { rating } = stored;
  const { verdict } = rating;
  const tapeNote = toTapeNote(rating.asOfS, facts.tapeStartS ?? stored.unseen?.beforeS ?? null);
  if (verdict === 'NO_COVERAGE') throw new Error('a rating without coverage has no profile');
  return {
    ok: true,
    wallet: rating.wallet,
    name: toName(rating.wallet, stored.name),
    verdict,
    reason_code: rating.reason,
    ...toStrength(stored),
    reasons: toReasons(stored),
    window: toWindow(rating.asOfS, facts.tapeStartS ?? null),
    ...toCounts(rating),
    win_rate_pct: rating.winRatePct,
    roi_slippage_basis_pct: rating.roiSlippagePct,
    roi_fee_inclusive_pct: rating.roiFeePct,
    ...toCertainty(rating),
    older: toPool(rating.older),
    in_sample: toPool(rating.inSample),
    out_of_sample: toPool(rating.outOfSample),
    ...toEntries(rating),
    ...toFarming(rating),
    sell_first_entries: rating.sellFirst,
    ...toActivity(rating),
    computed_at: toInstant(Math.floor(stored.computedAtMs / 1e3)),
    method: toMethod(PROFILE_METHOD, [stored]),
    ...(tapeNote === null ? {} : { tape_note: tapeNote }),
    ...(facts.isLate === true ? { note: toLateNote(rating.asOfS) } : {}),
    ...toFreshness({ config: stored.config, asOfS: rating.asOfS }, facts.nextRefreshS),
  };
}

/**
 * Returns the free body for a wallet below the coverage floor; without a rating, for one that never
 * traded. No ROI is shown (docs/interface-wallets.md, "No coverage").
 */
export function toNoCoverage(
  wallet: TapeWallet,
  stored: StoredRating | null,
  { nextRefreshS, tapeStartS = null }: BodyFacts,
): NoCoverage {
  const head = { ok: true, wallet, name: toName(wallet, stored?.name ?? null), verdict: 'NO_COVERAGE' } as const;
  const floor = RATING_CONFIG.coverageFloor;
  const end = { method: PROFILE_METHOD, next_refresh_at: toInstant(nextRefreshS) };
  if (stored === null) {
    return {
      ...head,
      reason_code: 'no_trades',
      reasons: [
        `The venue has no trade of this wallet: 0 first entries in ${RATING_CONFIG.windowDays} days; ${floor} are needed.`,
      ],
      coverage_floor: floor,
      window: null,
      ...NO_COUNTS,
      active_days: 0,
      last_trade_at: null,
      computed_at: null,
      ...end,
      rating_config: null,
      data_through: null,
      note: NO_COVERAGE_NOTE,
    };
  }
  const { rating, config, computedAtMs } = stored;
  return {
    ...head,
    reason_code: 'below_floor',
    reasons: [rating.reasonText],
    coverage_floor: floor,
    window: toWindow(rating.asOfS, tapeStartS),
    ...toCounts(rating),
    active_days: rating.activeDays,
    last_trade_at: rating.lastTradeS === null ? null : toInstant(rating.lastTradeS),
    computed_at: toInstant(Math.floor(computedAtMs / 1e3)),
    ...end,
    rating_config: config,
    data_through: toInstant(rating.asOfS),
    note: NO_COVERAGE_NOTE,
  };
}

const NO_COVERAGE_NOTE = 'Nothing was charged. There are too few entries to judge, which is neither good nor bad.';
const NO_COUNTS = { n_first_entries: 0, n_resolved: 0, n_pending: 0, n_early_resolved: 0, n_excluded_updown: 0 };

/**
 * Returns the body of a 202 (docs/interface-wallets.md, "Queued wallets"). `position` is the place
 * in the queue, from 1; 0: the profile is being made.
 */
export function toQueued(
  wallet: TapeWallet,
  queue: { readonly retryAfterS: number; readonly position: number },
): Queued {
  const { retryAfterS, position } = queue;
  const positionText = position === 0 ? 'being computed' : `number ${position} in the queue`;
  return {
    ok: true,
    verdict: 'QUEUED',
    wallet,
    reasons: [`The profile of this wallet is ${positionText}: ready in about ${retryAfterS} s.`],
    retry_after_seconds: retryAfterS,
    note: 'Nothing was charged: no payment was settled and no credit debited. Repeat the same call after retry_after_seconds.',
  };
}

/** The days before as_of that were seen, 90 at most, as dates that both belong to it. */
function toWindow(asOfS: number, tapeStartS: number | null) {
  const days = seenDays(asOfS, tapeStartS);
  return { from: isoDay(asOfS - days * DAY_S), to: isoDay(asOfS - DAY_S), days };
}

function toCounts(rating: Rating) {
  return {
    n_first_entries: rating.firstEntries,
    n_resolved: rating.resolved,
    n_pending: rating.pending,
    n_early_resolved: rating.earlyResolved,
    n_excluded_updown: rating.upDownExcluded,
  };
}

function toEntries({ avgEntryPrice, priceBuckets, categoryMixPct, clipsPerEntryAvg }: Rating) {
  const buckets = ENTRY_PRICE_RANGES.map((range, i) => [range, priceBuckets[i] ?? 0]);
  return {
    avg_entry_price: avgEntryPrice,
    entry_price_buckets: Object.fromEntries(buckets) as WalletProfile['entry_price_buckets'],
    category_mix_pct: { ...categoryMixPct },
    clips_per_entry_avg: clipsPerEntryAvg,
  };
}

function toFarming({ nearCertainPct, roundTripPct, bothSidesPct, markets, bothSidedMarkets }: Rating) {
  return {
    near_certain_pct: nearCertainPct,
    round_trip_pct: roundTripPct,
    both_sides_pct: bothSidesPct,
    both_sides: { markets, both_sided_markets: bothSidedMarkets },
  };
}

function toActivity({ firstTradeS, lastTradeS, activeDays }: Rating) {
  return {
    first_trade_at: firstTradeS === null ? null : toInstant(firstTradeS),
    last_trade_at: lastTradeS === null ? null : toInstant(lastTradeS),
    active_days: activeDays,
  };
}
