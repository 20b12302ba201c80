import { PROFILE_METHOD } from '../wallets/wallet-method.js';
import type { NoCoverage, Queued, WalletProfile } from '../wallets/wallet-profile.js';
import { EXAMPLE_FRESHNESS, EXAMPLE_WALLETS, HOPEFUL, LOSING, STEADY } from './sandbox-wallets.js';

/**
 * The example that `sandbox=1` returns for preflight_copy: the invented wallet STEADY, whose sums
 * are in sandbox-wallets.ts.
 */
export const WALLET_PROFILE_EXAMPLE: WalletProfile = {
  ok: true,
  ...EXAMPLE_WALLETS.STEADY,
  verdict: 'COPY',
  reason_code: 'validated',
  reasons: STEADY.reasons,
  window: { from: '2026-05-03', to: '2026-07-31', days: 90 },
  n_first_entries: 104,
  n_resolved: 100,
  n_pending: 4,
  n_early_resolved: 0,
  n_excluded_updown: 0,
  win_rate_pct: 54,
  roi_slippage_basis_pct: 35,
  roi_fee_inclusive_pct: 32,
  ...STEADY.certainty,
  older: {
    entries: 30,
    events: 30,
    win_rate_pct: 56.6667,
    roi_slippage_basis_pct: 41.6667,
    roi_fee_inclusive_pct: 38.6667,
    z: 1.7212,
  },
  in_sample: STEADY.inSample,
  out_of_sample: STEADY.outOfSample,
  avg_entry_price: 0.3892,
  entry_price_buckets: {
    '0.0-0.1': 0,
    '0.1-0.2': 0,
    '0.2-0.3': 0,
    '0.3-0.4': 100,
    '0.4-0.5': 0,
    '0.5-0.6': 0,
    '0.6-0.7': 4,
    '0.7-0.8': 0,
    '0.8-0.9': 0,
    '0.9-1.0': 0,
  },
  category_mix_pct: { sports: 96.1538, politics: 3.8462, other: 0, crypto: 0 },
  clips_per_entry_avg: 1.0385,
  near_certain_pct: 0,
  round_trip_pct: 0,
  both_sides_pct: 0,
  both_sides: { markets: 104, both_sided_markets: 0 },
  sell_first_entries: 0,
  first_trade_at: '2026-05-03T12:00:00Z',
  last_trade_at: '2026-07-31T13:00:00Z',
  active_days: 90,
  computed_at: '2026-08-01T03:20:00Z',
  method: PROFILE_METHOD,
  ...EXAMPLE_FRESHNESS,
  sandbox: true,
  note: 'Example of an invented wallet, the same for every request and free. Leave sandbox out to check a real wallet.',
};

const NOTE = 'Example of an invented wallet, free. Leave sandbox out to check a real wallet.';

/** What wallets share whose entries are all at 0.48, all scored, one a day and one market each. */
const plain = (n: number) => ({
  n_first_entries: n,
  n_resolved: n,
  n_pending: 0,
  avg_entry_price: 0.48,
  entry_price_buckets: { ...WALLET_PROFILE_EXAMPLE.entry_price_buckets, '0.3-0.4': 0, '0.4-0.5': n, '0.6-0.7': 0 },
  clips_per_entry_avg: 1,
  both_sides: { markets: n, both_sided_markets: 0 },
  active_days: n,
  note: NOTE,
});

/** Profiles of the invented wallets whose sums are in sandbox-wallets.ts. */
export const PROFILE_EXAMPLES: Readonly<Record<'STEADY' | 'HOPEFUL' | 'LOSING' | 'NEWCOMER', WalletProfile>> = {
  STEADY: WALLET_PROFILE_EXAMPLE,
  HOPEFUL: {
    ...WALLET_PROFILE_EXAMPLE,
    ...EXAMPLE_WALLETS.HOPEFUL,
    ...plain(38),
    verdict: 'WATCH',
    reason_code: 'oos_small',
    reasons: HOPEFUL.reasons,
    win_rate_pct: 60.5263,
    roi_slippage_basis_pct: 21.0526,
    roi_fee_inclusive_pct: 19.0526,
    ...HOPEFUL.certainty,
    older: {
      entries: 10,
      events: 10,
      win_rate_pct: 50,
      roi_slippage_basis_pct: 0,
      roi_fee_inclusive_pct: -2,
      z: -0.0633,
    },
    in_sample: HOPEFUL.inSample,
    out_of_sample: HOPEFUL.outOfSample,
    category_mix_pct: { sports: 0, politics: 100, other: 0, crypto: 0 },
    last_trade_at: '2026-07-08T12:00:00Z',
  },
  LOSING: {
    ...WALLET_PROFILE_EXAMPLE,
    ...EXAMPLE_WALLETS.LOSING,
    ...plain(40),
    verdict: 'VETO',
    reason_code: 'lost_money',
    reasons: LOSING.reasons,
    win_rate_pct: 37.5,
    roi_slippage_basis_pct: -25,
    roi_fee_inclusive_pct: -27.5,
    ...LOSING.certainty,
    older: {
      entries: 10,
      events: 10,
      win_rate_pct: 40,
      roi_slippage_basis_pct: -20,
      roi_fee_inclusive_pct: -22.5,
      z: -0.7117,
    },
    in_sample: LOSING.inSample,
    out_of_sample: LOSING.outOfSample,
    category_mix_pct: { sports: 0, politics: 0, other: 100, crypto: 0 },
    last_trade_at: '2026-07-11T12:00:00Z',
  },
  NEWCOMER: { ...WALLET_PROFILE_EXAMPLE, ...EXAMPLE_WALLETS.NEWCOMER, note: NOTE },
};

/** The 202 of NEWCOMER. */
export const QUEUED_EXAMPLE: Queued = {
  ok: true,
  verdict: 'QUEUED',
  wallet: EXAMPLE_WALLETS.NEWCOMER.wallet,
  reasons: ['The profile of this wallet is being computed: ready in about 1 s.'],
  retry_after_seconds: 1,
  note: 'Nothing was charged: no payment was settled and no credit debited. Repeat the same call after retry_after_seconds.',
};

/** The free answer about RARE. */
export const NO_COVERAGE_EXAMPLE: NoCoverage = {
  ok: true,
  ...EXAMPLE_WALLETS.RARE,
  verdict: 'NO_COVERAGE',
  reason_code: 'below_floor',
  reasons: ['4 first entries in 90 days; the floor is 10. ROI is not shown.'],
  coverage_floor: 10,
  window: { from: '2026-05-03', to: '2026-07-31', days: 90 },
  n_first_entries: 4,
  n_resolved: 3,
  n_pending: 1,
  n_early_resolved: 0,
  n_excluded_updown: 0,
  active_days: 3,
  last_trade_at: '2026-07-20T12:00:00Z',
  computed_at: '2026-08-01T03:20:00Z',
  method: PROFILE_METHOD,
  ...EXAMPLE_FRESHNESS,
  note: 'Nothing was charged. There are too few entries to judge, which is neither good nor bad.',
};
