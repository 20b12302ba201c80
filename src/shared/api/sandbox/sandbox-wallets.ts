import { WATCH_NOTE } from '../wallets/wallet-method.js';
import type { Pool } from '../wallets/wallet-parts.js';
import type { WalletProfile } from '../wallets/wallet-profile.js';

/**
 * The invented wallets of the wallet examples, at 2026-08-01T00:00:00Z. Each entry is in a market,
 * and an event, of its own; n entries at one price p with fee rate f have
 *
 *     copier's price   q = p + 0.02                      all-in cost   c = q (1 + f (1 - q))
 *     fee per dollar   g = f (1 - q)                     variance      v = c (1 - c) / q^2
 *     a win returns    1 / q - 1 - g                     z = sum of returns / sqrt(n v)
 *     a loss returns   -1 - g                            interval = ROI -+ 1.96 sqrt(v / n)
 *
 * STEADY, COPY: p 0.38, f 0.05 (sports): q 0.40, g 0.03, win +1.47, loss -1.03, c 0.412, v 1.5141.
 *
 *                    entries  wins   before fees           after fees               z
 *     days 90..61       30     17    (25.5 - 13) / 30      ( 24.99 - 13.39) / 30   11.6 / sqrt(30 v) = 1.7212
 *     days 60..31       40     22    (33   - 18) / 40      ( 32.34 - 18.54) / 40   13.8 / sqrt(40 v) = 1.7733
 *     days 30..1        30     15    (22.5 - 15) / 30      ( 22.05 - 15.45) / 30    6.6 / sqrt(30 v) = 0.9793
 *     together         100     54    (81   - 46) / 100     ( 79.38 - 47.38) / 100   32  / sqrt(100 v) = 2.6006
 *
 *   ROI 35 % and 32 %; interval 32 % -+ 24.1176 %; without the best event (32 - 1.47) / 100. The edge
 *   of 0.54 - c has the precision n / (c (1 - c)) = 412.8, that of wallets at large (-0.03 -+ 0.028)
 *   1275.5: (0.128 x 412.8 - 0.03 x 1275.5) / 1688.3 = 0.0086 is the shrunken edge. Four more entries at 0.62 (politics, open, two clips each, on the last four days): 104 in all,
 *   average price (100 x 0.38 + 4 x 0.62) / 104, clips 108 / 104.
 *
 * HOPEFUL, WATCH: p 0.48, f 0.04: q 0.50, g 0.02, win +0.98, loss -1.02, c 0.51, v 0.9996. Wins 5
 * of 10, 14 of 21, 4 of 7.
 *   38 entries, 23 wins: before fees (23 - 15) / 38, after (22.54 - 15.30) / 38 = 7.24 / 38; z 7.24 / sqrt(38 v) = 1.1747. Seven
 *   entries are too few out of sample. For an interval above zero it takes (1.96 / 0.190526)^2 v =
 *   105.8 entries: 68 more.
 *
 * LOSING, VETO: p 0.48, f 0.05: q 0.50, g 0.025, win +0.975, loss -1.025, c 0.5125, v 0.999375.
 * Wins 4 of 10, 8 of 20, 3 of 10.
 *   40 entries, 15 wins: before fees (15 - 25) / 40, after (14.625 - 25.625) / 40 = -11 / 40; z -11 / sqrt(40 v) = -1.7398.
 *
 * NEWCOMER has the trades of STEADY. RARE has 4 first entries, one of them open.
 */
export const EXAMPLE_WALLETS = {
  STEADY: { wallet: '0x0000000000000000000000000000000000000001', name: 'example-steady' },
  HOPEFUL: { wallet: '0x0000000000000000000000000000000000000002', name: 'example-hopeful' },
  LOSING: { wallet: '0x0000000000000000000000000000000000000003', name: 'example-losing' },
  NEWCOMER: { wallet: '0x0000000000000000000000000000000000000004', name: 'example-newcomer' },
  RARE: { wallet: '0x0000000000000000000000000000000000000005', name: 'example-rare' },
} as const;

/** When the examples were made and until when they would stand. */
export const EXAMPLE_FRESHNESS = {
  rating_config: '0000000000000000',
  data_through: '2026-08-01T00:00:00Z',
  next_refresh_at: '2026-08-02T04:30:00Z',
} as const;

/** What is said of an example wallet: by how sure its result is, by its months, and in words. */
interface ExampleResult {
  readonly certainty: Pick<
    WalletProfile,
    'roi_ci95_pct' | 'z' | 'sample' | 'entries_needed' | 'roi_without_best_event_pct'
  >;
  readonly inSample: Pool;
  readonly outOfSample: Pool;
  /** The sentence of the decision table, and which figure decided. */
  readonly reasons: string[];
}

export const STEADY: ExampleResult = {
  certainty: {
    roi_ci95_pct: { low: 7.8824, high: 56.1176 },
    z: 2.6006,
    sample: 'solid',
    entries_needed: 0,
    roi_without_best_event_pct: 30.53,
  },
  inSample: {
    entries: 40,
    events: 40,
    win_rate_pct: 55,
    roi_slippage_basis_pct: 37.5,
    roi_fee_inclusive_pct: 34.5,
    z: 1.7733,
  },
  outOfSample: {
    entries: 30,
    events: 30,
    win_rate_pct: 50,
    roi_slippage_basis_pct: 25,
    roi_fee_inclusive_pct: 22,
    z: 0.9793,
  },
  reasons: [
    '32% after fees over 100 entries (95% interval 7.9%..56.1%), edge +12.8c per share, 95% interval +3.2..+22.4c, shrunken edge +0.86c (0.6c needed); out-of-sample month 22% over 30 entries in 30 events.',
    'Judged by the 100 scored entries that pass the leaderboard filter: 32% after fees.',
  ],
};

export const HOPEFUL: ExampleResult = {
  certainty: {
    roi_ci95_pct: { low: -12.7364, high: 50.8417 },
    z: 1.1747,
    sample: 'fair',
    entries_needed: 68,
    roi_without_best_event_pct: 16.4737,
  },
  inSample: {
    entries: 21,
    events: 21,
    win_rate_pct: 66.6667,
    roi_slippage_basis_pct: 33.3333,
    roi_fee_inclusive_pct: 31.3333,
    z: 1.4362,
  },
  outOfSample: {
    entries: 7,
    events: 7,
    win_rate_pct: 57.1429,
    roi_slippage_basis_pct: 14.2857,
    roi_fee_inclusive_pct: 12.2857,
    z: 0.3251,
  },
  reasons: [
    'Out-of-sample month has 7 entries in 7 events; 8 in 6 are needed.',
    'Judged by the 38 scored entries that pass the leaderboard filter: 19.1% after fees.',
    WATCH_NOTE,
  ],
};

export const LOSING: ExampleResult = {
  certainty: {
    roi_ci95_pct: { low: -58.4806, high: 3.4806 },
    z: -1.7398,
    sample: 'fair',
    entries_needed: null,
    roi_without_best_event_pct: -29.9375,
  },
  inSample: {
    entries: 20,
    events: 20,
    win_rate_pct: 40,
    roi_slippage_basis_pct: -20,
    roi_fee_inclusive_pct: -22.5,
    z: -1.0065,
  },
  outOfSample: {
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
};
