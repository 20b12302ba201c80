import { z } from 'zod';
import { sha256 } from '../evidence.js';
import { PaidSchema } from '../paid.js';
import {
  CERTAINTY,
  CopyVerdictSchema,
  count,
  date,
  FRESHNESS,
  name,
  note,
  PoolSchema,
  percent,
  ReasonCodeSchema,
  reasons,
  sandbox,
  share,
  strength,
  wallet,
} from './wallet-parts.js';

/**
 * One wallet of a list (docs/interface-wallets.md, "Lists"). Its figures are over 90 days and the
 * leaderboard filter, unless they state otherwise.
 */
const WalletRatingSchema = z.strictObject({
  name,
  wallet,
  verdict: CopyVerdictSchema,
  reason_code: ReasonCodeSchema,
  strength,
  roi_slippage_basis_pct: percent.describe(
    "Copier's ROI per dollar, after 2 cents of slippage, before fees, over the entries that decided: those that pass " +
      'the leaderboard filter, but all scored entries for both_sides, lost_money and fee_fragile.',
  ),
  roi_fee_inclusive_pct: percent.describe('The same after explicit 2026 taker fees.'),
  ...CERTAINTY,
  n_resolved: count.describe('Scored entries of the profile, without the leaderboard filter.'),
  profile_roi_fee_inclusive_pct: percent
    .nullable()
    .describe('Fee-inclusive ROI over n_resolved: what lost_money and fee_fragile are judged by; null if that is 0.'),
  copied_trades: count.describe('Mirrored trades in the in-sample month.'),
  win_rate_pct: share.optional().describe('Mirrored in-sample trades that won; absent if there are none.'),
  oos_trades: count
    .optional()
    .describe('Mirrored trades in the out-of-sample month; present if they drove the verdict.'),
  oos_validated: z
    .boolean()
    .describe('Whether the result survived both months: picked in the first, tested in the second.'),
  in_sample: PoolSchema,
  out_of_sample: PoolSchema,
  reasons,
  evidence_hash: sha256
    .optional()
    .describe('`basis_hash` of its evidence, by preflight_copy with evidence=1; absent: there is none.'),
});

export type WalletRating = z.infer<typeof WalletRatingSchema>;

/** What both lists have in common. */
const LIST = {
  ok: z.literal(true),
  computed_at: date,
  window: z.string().describe('The audited window, in words.'),
  method: z.string(),
  universe: z.string().optional().describe('The selection funnel.'),
  placebo_copy_count: count.describe(
    'COPY verdicts that the same rules give when outcomes are drawn by chance: how many on the list may be luck.',
  ),
  ...FRESHNESS,
} as const;

const END = { sandbox, note, paid: PaidSchema.optional() } as const;

/**
 * The answer of leaderboard: COPY first, then WATCH. The list may be empty; then `note` says so.
 */
export const LeaderboardSchema = z.strictObject({
  ...LIST,
  wallets: z.array(WalletRatingSchema.extend({ verdict: CopyVerdictSchema.extract(['COPY', 'WATCH']) })),
  ...END,
});

export type Leaderboard = z.infer<typeof LeaderboardSchema>;

/** The answer of red_list: wallets rated VETO. The list may be empty; then `note` says so. */
export const RedListSchema = z.strictObject({
  ...LIST,
  wallets: z.array(WalletRatingSchema.extend({ verdict: CopyVerdictSchema.extract(['VETO']) })),
  ...END,
});

export type RedList = z.infer<typeof RedListSchema>;
