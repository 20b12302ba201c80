import type { Leaderboard, RedList } from '../wallets/wallet-lists.js';
import { LIST_METHOD } from '../wallets/wallet-method.js';
import { EXAMPLE_FRESHNESS, EXAMPLE_WALLETS, HOPEFUL, LOSING, STEADY } from './sandbox-wallets.js';

/** An invented board of 1,000 wallets. The sums of the wallets shown are in sandbox-wallets.ts. */
const BOARD = {
  ok: true,
  computed_at: '2026-08-01',
  window:
    '2026-05-03..2026-07-31 (90 days, UTC, both ends included): ' +
    'in-sample 2026-06-02..2026-07-01, out-of-sample 2026-07-02..2026-07-31',
  method: LIST_METHOD,
  universe:
    '1000 wallets with first entries in the window: 311 NO_COVERAGE, 383 VETO, 305 WATCH, 1 COPY; ' +
    'leaderboard shows 2, red_list 1',
  placebo_copy_count: 0,
  ...EXAMPLE_FRESHNESS,
} as const;

const END = {
  sandbox: true,
  note: 'Example of invented wallets, the same for every request and free. Leave sandbox out for the real list.',
} as const;

/** The example that `sandbox=1` returns for leaderboard. */
export const LEADERBOARD_EXAMPLE: Leaderboard = {
  ...BOARD,
  wallets: [
    {
      ...EXAMPLE_WALLETS.STEADY,
      verdict: 'COPY',
      reason_code: 'validated',
      roi_slippage_basis_pct: 35,
      roi_fee_inclusive_pct: 32,
      ...STEADY.certainty,
      n_resolved: 100,
      profile_roi_fee_inclusive_pct: 32,
      copied_trades: 40,
      win_rate_pct: 55,
      oos_trades: 30,
      oos_validated: true,
      in_sample: STEADY.inSample,
      out_of_sample: STEADY.outOfSample,
      reasons: STEADY.reasons,
    },
    {
      ...EXAMPLE_WALLETS.HOPEFUL,
      verdict: 'WATCH',
      reason_code: 'oos_small',
      roi_slippage_basis_pct: 21.0526,
      roi_fee_inclusive_pct: 19.0526,
      ...HOPEFUL.certainty,
      n_resolved: 38,
      profile_roi_fee_inclusive_pct: 19.0526,
      copied_trades: 21,
      win_rate_pct: 66.6667,
      oos_trades: 7,
      oos_validated: false,
      in_sample: HOPEFUL.inSample,
      out_of_sample: HOPEFUL.outOfSample,
      reasons: HOPEFUL.reasons,
    },
  ],
  ...END,
};

/** The example that `sandbox=1` returns for red_list. */
export const RED_LIST_EXAMPLE: RedList = {
  ...BOARD,
  wallets: [
    {
      ...EXAMPLE_WALLETS.LOSING,
      verdict: 'VETO',
      reason_code: 'lost_money',
      roi_slippage_basis_pct: -25,
      roi_fee_inclusive_pct: -27.5,
      ...LOSING.certainty,
      n_resolved: 40,
      profile_roi_fee_inclusive_pct: -27.5,
      copied_trades: 20,
      win_rate_pct: 40,
      oos_validated: false,
      in_sample: LOSING.inSample,
      out_of_sample: LOSING.outOfSample,
      reasons: LOSING.reasons,
    },
  ],
  ...END,
};
