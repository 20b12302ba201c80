import type { Leaderboard, RedList } from '../wallets/wallet-lists.js';
import { LIST_METHOD, WATCH_NOTE } from '../wallets/wallet-method.js';
import {
  EXAMPLE_FRESHNESS,
  EXAMPLE_WALLETS,
  STEADY_CERTAINTY,
  STEADY_IN_SAMPLE,
  STEADY_OUT_OF_SAMPLE,
  STEADY_REASONS,
} from './sandbox-wallets.js';

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
      roi_slippage_basis_pct: 30,
      roi_fee_inclusive_pct: 27,
      ...STEADY_CERTAINTY,
      n_resolved: 100,
      profile_roi_fee_inclusive_pct: 27,
      copied_trades: 40,
      win_rate_pct: 52.5,
      oos_trades: 30,
      oos_validated: true,
      in_sample: STEADY_IN_SAMPLE,
      out_of_sample: STEADY_OUT_OF_SAMPLE,
      reasons: STEADY_REASONS,
    },
    {
      ...EXAMPLE_WALLETS.HOPEFUL,
      verdict: 'WATCH',
      reason_code: 'oos_small',
      roi_slippage_basis_pct: 21.0526,
      roi_fee_inclusive_pct: 19.0526,
      roi_ci95_pct: { low: -12.7364, high: 50.8417 },
      z: 1.1747,
      sample: 'fair',
      entries_needed: 68,
      roi_without_best_event_pct: 16.4737,
      n_resolved: 38,
      profile_roi_fee_inclusive_pct: 19.0526,
      copied_trades: 20,
      win_rate_pct: 65,
      oos_trades: 8,
      oos_validated: false,
      in_sample: {
        entries: 20,
        events: 20,
        win_rate_pct: 65,
        roi_slippage_basis_pct: 30,
        roi_fee_inclusive_pct: 28,
        z: 1.2524,
      },
      out_of_sample: {
        entries: 8,
        events: 8,
        win_rate_pct: 62.5,
        roi_slippage_basis_pct: 25,
        roi_fee_inclusive_pct: 23,
        z: 0.6507,
      },
      reasons: [
        'Out-of-sample month has 8 entries in 8 events; 15 in 10 are needed.',
        'Judged by the 38 scored entries that pass the leaderboard filter: 19.1% after fees.',
        WATCH_NOTE,
      ],
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
      roi_ci95_pct: { low: -58.4806, high: 3.4806 },
      z: -1.7398,
      sample: 'fair',
      entries_needed: null,
      roi_without_best_event_pct: -29.9375,
      n_resolved: 40,
      profile_roi_fee_inclusive_pct: -27.5,
      copied_trades: 20,
      win_rate_pct: 40,
      oos_validated: false,
      in_sample: {
        entries: 20,
        events: 20,
        win_rate_pct: 40,
        roi_slippage_basis_pct: -20,
        roi_fee_inclusive_pct: -22.5,
        z: -1.0065,
      },
      out_of_sample: {
        entries: 10,
        events: 10,
        win_rate_pct: 30,
        roi_slippage_basis_pct: -40,
        roi_fee_inclusive_pct: -42.5,
        z: -1.3444,
      },
      reasons: [
        'Copying first entries lost 25% per dollar staked before fees (27.5% after) over 40 resolved entries.',
        'Judged by all 40 scored entries: -27.5% after fees.',
      ],
    },
  ],
  ...END,
};
