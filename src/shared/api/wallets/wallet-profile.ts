import { z } from 'zod';
import { MIX_CATEGORIES } from '#domain/rating/tape-market';
import { PaidSchema } from '../paid.js';
import { WalletEvidenceSchema } from './wallet-evidence.js';
import {
  CERTAINTY,
  CopyVerdictSchema,
  count,
  date,
  FRESHNESS,
  instant,
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
import { ENTRY_PRICE_RANGES } from './wallet-terms.js';

/** One member of the same form per name. */
function each<Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) {
  return z.strictObject(Object.fromEntries(names.map((one) => [one, value])) as Record<Name, Value>);
}

/** The rolling window. */
const window = z
  .strictObject({ from: date, to: date, days: z.int().min(1) })
  .describe('Rolling window in UTC; both days belong to it.');

/** Counts that a wallet has with and without coverage. */
const COUNTS = {
  n_first_entries: count.describe('First entries inside the window: n_resolved + n_pending.'),
  n_resolved: count.describe('First entries that are scored: settled, and past their scheduled end.'),
  n_pending: count.describe('All others, n_early_resolved included.'),
  n_early_resolved: count.describe(
    'Settled before their scheduled end: not scored until then, because what ends early ends one way more often.',
  ),
  n_excluded_updown: count.describe('First entries left out because their market is a crypto up/down market.'),
} as const;

/** The farming screen: how little of the volume is an opinion that can be copied. */
const FARMING = {
  near_certain_pct: share.describe('First entries bought at 0.95 or more.'),
  round_trip_pct: share.describe(
    'First entries of which 90% were sold within an hour within a cent. Reported, not judged.',
  ),
  both_sides_pct: share.describe('Markets in which the wallet bought more than one outcome.'),
  both_sides: z
    .strictObject({ markets: count, both_sided_markets: count })
    .describe('The counts behind both_sides_pct.'),
} as const;

const UNSCORED = 'null if n_resolved is 0.';

/**
 * The answer of preflight_copy for a covered wallet (docs/interface-wallets.md, "Wallet profile").
 */
export const WalletProfileSchema = z.strictObject({
  ok: z.literal(true),
  wallet,
  name,
  verdict: CopyVerdictSchema.describe(
    'COPY only with out-of-sample validation. WATCH means unproven, not half a COPY.',
  ),
  reason_code: ReasonCodeSchema,
  strength,
  reasons,
  window,
  ...COUNTS,
  win_rate_pct: share.nullable().describe(`Scored entries that paid more than the copier's price; ${UNSCORED}`),
  roi_slippage_basis_pct: percent
    .nullable()
    .describe(`Copier's ROI per dollar over all scored entries, after 2 cents of slippage, before fees; ${UNSCORED}`),
  roi_fee_inclusive_pct: percent.nullable().describe(`The same after explicit 2026 taker fees; ${UNSCORED}`),
  ...CERTAINTY,
  older: PoolSchema.describe('Days 90 to 61 before data_through.'),
  in_sample: PoolSchema.describe('Days 60 to 31 before data_through: the month in which a wallet is picked.'),
  out_of_sample: PoolSchema.describe(
    'The last 30 days: the month that the result has to survive. Events already entered in the in-sample month do not count.',
  ),
  avg_entry_price: z.number().min(0).max(1).nullable().describe("The wallet's own price, over all first entries."),
  entry_price_buckets: each(ENTRY_PRICE_RANGES, count).describe(
    "First entries by the wallet's own price; the upper end of a range belongs to the next one.",
  ),
  category_mix_pct: each(MIX_CATEGORIES, share).describe('First entries by category.'),
  clips_per_entry_avg: z
    .number()
    .min(0)
    .nullable()
    .describe('Orders per first entry within a day: above 1, size was built in steps that a copier does not see.'),
  ...FARMING,
  sell_first_entries: count.describe(
    'First entries in tokens that were sold before they were bought: earlier trades are not seen.',
  ),
  first_trade_at: instant.nullable().describe('First fill inside the window, bought or sold; null if there is none.'),
  last_trade_at: instant.nullable().describe('Last fill inside the window.'),
  active_days: count.describe('Days (UTC) with a fill, inside the window.'),
  computed_at: instant,
  method: z.string(),
  tape_note: z.string().optional().describe('Present if the tape begins too late to know every first entry.'),
  ...FRESHNESS,
  evidence: WalletEvidenceSchema.optional(),
  sandbox,
  note,
  paid: PaidSchema.optional(),
});

export type WalletProfile = z.infer<typeof WalletProfileSchema>;

/**
 * The answer of preflight_copy for a wallet below the coverage floor, or one that never traded:
 * free, and no ROI is shown. Its `window`, `computed_at` and `data_through` are null if nothing had
 * to be computed.
 */
export const NoCoverageSchema = z.strictObject({
  ok: z.literal(true),
  wallet,
  name,
  verdict: z.literal('NO_COVERAGE'),
  reason_code: z.enum(['below_floor', 'no_trades']),
  reasons,
  coverage_floor: count.describe('First entries in the window from which on a wallet is rated.'),
  window: window.nullable(),
  ...COUNTS,
  active_days: count,
  last_trade_at: instant.nullable(),
  computed_at: instant.nullable(),
  method: z.string(),
  rating_config: FRESHNESS.rating_config.nullable(),
  data_through: FRESHNESS.data_through.nullable(),
  next_refresh_at: FRESHNESS.next_refresh_at,
  note: z.string(),
});

export type NoCoverage = z.infer<typeof NoCoverageSchema>;

/** The 202 of preflight_copy (docs/interface-wallets.md, "Queued wallets"): never charged. */
export const QueuedSchema = z.strictObject({
  ok: z.literal(true),
  verdict: z.literal('QUEUED'),
  wallet,
  reasons,
  retry_after_seconds: z.int().min(1).describe('Also in the Retry-After header.'),
  note: z.string(),
});

export type Queued = z.infer<typeof QueuedSchema>;
