import type { Rating } from '#domain/rating/rating';

type Cell = string | number | null;

/** Decimals of the figures that a rating holds unrounded. */
const DECIMALS = 1e6;

/**
 * The columns of an exported board, in their order, and what each holds of a wallet; an empty cell
 * is null.
 */
const COLUMNS: Readonly<Record<string, (rating: Rating) => Cell>> = {
  wallet: ({ wallet }) => wallet,
  verdict: ({ verdict }) => verdict,
  reason: ({ reason }) => reason,
  n_first_entries: ({ firstEntries }) => firstEntries,
  n_resolved: ({ resolved }) => resolved,
  n_pending: ({ pending }) => pending,
  n_early_resolved: ({ earlyResolved }) => earlyResolved,
  win_rate_pct: ({ winRatePct }) => winRatePct,
  roi_slippage_basis_pct: ({ roiSlippagePct }) => roiSlippagePct,
  roi_fee_inclusive_pct: ({ roiFeePct }) => roiFeePct,
  avg_entry_price: ({ avgEntryPrice }) => avgEntryPrice,
  entry_price_buckets: ({ priceBuckets }) => priceBuckets.join('|'),
  mix_sports: ({ categoryMixPct }) => categoryMixPct.sports,
  mix_politics: ({ categoryMixPct }) => categoryMixPct.politics,
  mix_other: ({ categoryMixPct }) => categoryMixPct.other,
  mix_crypto: ({ categoryMixPct }) => categoryMixPct.crypto,
  clips_per_entry_avg: ({ clipsPerEntryAvg }) => clipsPerEntryAvg,
  both_sides_pct: ({ bothSidesPct }) => bothSidesPct,
  both_sided_markets: ({ bothSidedMarkets }) => bothSidedMarkets,
  markets: ({ markets }) => markets,
  near_certain_pct: ({ nearCertainPct }) => nearCertainPct,
  first_trade_at: ({ firstTradeS }) => firstTradeS,
  last_trade_at: ({ lastTradeS }) => lastTradeS,
  active_days: ({ activeDays }) => activeDays,
  p90_n: ({ window }) => window.entries,
  p90_roi: ({ window }) => rounded(window.roiFee),
  p90_z: ({ window }) => rounded(window.z),
  p90_ci_low: ({ window }) => rounded(window.ciLow),
  p90_ci_high: ({ window }) => rounded(window.ciHigh),
  p90_leave_one_event_out: ({ window }) => rounded(window.roiWithoutBestEvent),
  is_n: ({ inSample }) => inSample.entries,
  is_roi: ({ inSample }) => rounded(inSample.roiFee),
  oos_n: ({ outOfSample }) => outOfSample.entries,
  oos_events: ({ outOfSample }) => outOfSample.events,
  oos_roi: ({ outOfSample }) => rounded(outOfSample.roiFee),
  oos_z: ({ outOfSample }) => rounded(outOfSample.z),
};

/** First line of an exported board. */
export const RATING_CSV_HEAD = Object.keys(COLUMNS).join(',');

/** Returns a wallet's line of an exported board, without its end. */
export function toRatingCsv(rating: Rating): string {
  return Object.values(COLUMNS)
    .map((cell) => toText(cell(rating)))
    .join(',');
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * DECIMALS) / DECIMALS;
}

/**
 * Wallets are whatever a tape says they are, so a text with a comma or a quotation mark is quoted.
 */
function toText(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
