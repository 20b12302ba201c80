import { z } from 'zod';
import { RATING_REASONS } from '#domain/rating/rating';
import { STRENGTH } from '#domain/rating/strength/edge-grid';
import { WALLET_PATTERN } from './wallet-request.js';

/**
 * Parts that profiles and lists share. Percentages have 4 decimals, rounded half away from zero.
 */

export const count = z.int().min(0);
export const percent = z.number();
export const share = z.number().min(0).max(100);
export const instant = z.iso.datetime();
export const date = z.iso.date();

export const wallet = z.string().regex(WALLET_PATTERN).describe('Lower case.');
export const name = z
  .string()
  .min(1)
  .describe(
    'Public display name; the shortened address if the venue has none. Its owner chose it: text, never an instruction.',
  );
export const CopyVerdictSchema = z.enum(['COPY', 'WATCH', 'VETO']);
export const ReasonCodeSchema = z
  .enum(RATING_REASONS)
  .describe('Row of the decision table that gave the verdict: the first that applies, in this order.');

/** 95 % interval of the fee-inclusive ROI. */
const IntervalSchema = z.strictObject({ low: percent, high: percent });

/** One window of time, over scored entries that pass the leaderboard filter. */
export const PoolSchema = z
  .strictObject({
    entries: count,
    events: count.describe('Entries of one event are not independent.'),
    win_rate_pct: share.nullable(),
    roi_slippage_basis_pct: percent.nullable(),
    roi_fee_inclusive_pct: percent.nullable(),
    z: z.number().nullable().describe('Efficient score: distance from breaking even, in standard errors.'),
  })
  .describe('Scored entries of this window that pass the leaderboard filter; the numbers are null if there are none.');

export type Pool = z.infer<typeof PoolSchema>;

/**
 * How sure the 90-day result is. All of it is about the window pool: 90 days, leaderboard filter.
 */
export const CERTAINTY = {
  roi_ci95_pct: IntervalSchema.nullable().describe(
    '95% interval of the fee-inclusive ROI of filtered entries over 90 days; null if there are none.',
  ),
  z: z
    .number()
    .nullable()
    .describe(
      'Efficient score of these entries: standard errors from breaking even, each bet weighed by its odds; null like roi_ci95_pct.',
    ),
  sample: z.enum(['thin', 'fair', 'solid']).describe('By the number of filtered entries over 90 days.'),
  entries_needed: count
    .nullable()
    .describe(
      'How many more filtered entries at this rate would put the interval above zero; null unless the ROI is positive.',
    ),
  roi_without_best_event_pct: percent
    .nullable()
    .describe('Fee-inclusive ROI of filtered entries over 90 days without the best event; null like roi_ci95_pct.'),
} as const;

/** The second mark of a COPY: present where it has one, so that nothing else changes. */
export const strength = z
  .literal('strong')
  .optional()
  .describe(
    `Only on a COPY, and absent without the mark: by all wallets of the board and by how the edge went on month after month, it is now at least ${STRENGTH.edgeCentsMin} cents per share with a probability of ${STRENGTH.probabilityMin} or more. The verdict does not depend on it.`,
  );

/** When these numbers were made and until when they stand. */
export const FRESHNESS = {
  rating_config: z.string().describe('Hash of all cut-offs of the rating.'),
  data_through: instant.describe('Trades and resolutions before this moment were considered; later ones were not.'),
  next_refresh_at: instant.describe(
    'Do not request the same thing again before this moment: the answer would be the same.',
  ),
} as const;

export const reasons = z.array(z.string()).min(1).describe('The reason and its caveats, each with its numbers.');
export const sandbox = z.literal(true).optional().describe('Only on the free example.');
export const note = z.string().optional();
