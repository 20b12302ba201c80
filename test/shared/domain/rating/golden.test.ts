import { expect } from 'chai';
import { groupBy } from '#domain/rating/group-by';
import { rateSums } from '#domain/rating/rate-sums';
import type { PoolRating, Rating } from '#domain/rating/rating';
import type { ScoredEntry } from '#domain/rating/score-entry';
import { ownFills, scoreEntries, splitScope, sumWallet } from '#domain/rating/sum-wallet';
import { needCaptures } from '#test/support/captures';
import {
  exactColumns,
  GOLDEN_FILES,
  type GoldenEntry,
  readGolden,
  SCORE_2_CONFIG,
  seconds,
} from '../support/tape-fixtures.js';

/** A floor of 0 shows the figures of small wallets too. */
const SHOW_ALL = { ...SCORE_2_CONFIG, coverageFloor: 0 };

const round = (value: number | null, decimals: number) =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals + 0;

const shownPool = (pool: PoolRating) =>
  pool.entries === 0
    ? { n: 0 }
    : {
        n: pool.entries,
        events: pool.events,
        roi: round(pool.roiFee, 6),
        z: round(pool.z, 6),
        se: round(pool.standardError, 6),
        ci95_low: round(pool.ciLow, 6),
        ci95_high: round(pool.ciHigh, 6),
        leave_one_event_out: round(pool.roiWithoutBestEvent, 6),
      };

/** A rating in the words of the golden files. */
const shown = (rating: Rating, { verdict, reason }: Rating) => ({
  ...exactColumns(rating),
  entry_price_buckets: rating.priceBuckets,
  category_mix_pct: rating.categoryMixPct,
  sell_first_entries: rating.sellFirst,
  verdict,
  reason,
  pool_90d: shownPool(rating.window),
  pool_is: shownPool(rating.inSample),
  pool_oos: shownPool(rating.outOfSample),
});

/** Returns per dollar have 9 decimals; a rate or price has 6. */
const shownEntry = (entry: ScoredEntry): Omit<GoldenEntry, 'ts'> & { readonly timeS: number } => ({
  token: entry.clip.token,
  timeS: entry.clip.timeS,
  entry_price: entry.clip.priceMicros / 1e6,
  copier_price: entry.copierPriceMicros / 1e6,
  fee_per_dollar: Number(entry.feePerDollarNano) / 1e9,
  counted: entry.result !== null,
  early_resolved: entry.earlyResolved,
  ret_slippage: entry.result === null ? null : Number(entry.result.slippageNano) / 1e9,
  ret_fee: entry.result === null ? null : Number(entry.result.feeNano) / 1e9,
  clips: entry.clips,
  first_clip_shares: entry.clip.sizeMicros / 1e6,
});

/** The efficient score of a pool, once more and in plain numbers. */
function plainScore(entries: readonly GoldenEntry[]): number {
  const bets = entries
    .filter(({ counted, entry_price: price, first_clip_shares: shares }) => {
      return counted && price >= 0.1 && price <= 0.9 && shares >= 10;
    })
    .map(({ token, copier_price: price, fee_per_dollar: fee, ret_slippage: back }) => {
      const cost = price * (1 + fee);
      const weight = 1 / (cost * (1 - cost));
      return { market: token.split(':')[0]!, score: ((back! + 1) * price - cost) * weight, weight };
    });
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const roots = [...groupBy(bets, ({ market }) => market).values()].map((ofMarket) =>
    sum(ofMarket.map(({ weight }) => Math.sqrt(weight))),
  );
  const variance = sum(bets.map(({ weight }) => weight)) / 2 + sum(roots.map((root) => root * root)) / 2;
  return sum(bets.map(({ score }) => score)) / Math.sqrt(variance);
}

/**
 * What is expected of the wallets of many prices, with the z of the score; the files hold that of
 * the mean return. At one price, as in all others, both are the same.
 */
function withScore(expected: Readonly<Record<string, unknown>>, entries: readonly GoldenEntry[] | undefined) {
  if (entries === undefined || new Set(entries.map(({ copier_price: price }) => price)).size === 1) return expected;
  const z = round(plainScore(entries), 6);
  const inMonth = { ...(expected.pool_90d as object), z };
  return { ...expected, pool_90d: inMonth, pool_oos: inMonth };
}

describe('golden wallets', () => {
  for (const name of GOLDEN_FILES) {
    it(`rates ${name} to the last shown digit`, function () {
      needCaptures(this);
      const { wallet, fills, markets, asOfS, expected, expected_entries } = readGolden(name);
      const sums = sumWallet(wallet, fills, markets, asOfS, SCORE_2_CONFIG);
      const received = shown(rateSums(sums, asOfS, SHOW_ALL), rateSums(sums, asOfS, SCORE_2_CONFIG));
      expect(received).to.deep.equal(withScore(expected, expected_entries));
    });
  }

  for (const name of ['golden_a', 'golden_b'] as const) {
    it(`scores each entry of ${name}`, function () {
      needCaptures(this);
      const { wallet, fills, markets, asOfS, expected_entries = [] } = readGolden(name);
      const { inScope } = splitScope(ownFills(wallet, fills, asOfS, SCORE_2_CONFIG), markets);
      const entries = scoreEntries(inScope, markets, asOfS, SCORE_2_CONFIG).map(shownEntry);
      expect(expected_entries.length).to.be.above(4);
      expect(entries).to.have.deep.members(
        expected_entries.map(({ ts, ...rest }) => ({ ...rest, timeS: seconds(ts) })),
      );
    });

    it(`goes past the floors of ${name} where they are set lower`, function () {
      needCaptures(this);
      const { wallet, fills, markets, asOfS, expected_with_low_floors: low } = readGolden(name);
      const config = { ...SCORE_2_CONFIG, ...low!.overrides };
      const { verdict, reason } = rateSums(sumWallet(wallet, fills, markets, asOfS, config), asOfS, config);
      expect({ verdict, reason }).to.deep.equal({ verdict: low!.verdict, reason: low!.reason });
    });
  }

  it('does not show the ROI of a wallet below the floor', function () {
    needCaptures(this);
    const { wallet, fills, markets, asOfS } = readGolden('golden_a');
    const rating = rateSums(sumWallet(wallet, fills, markets, asOfS, SCORE_2_CONFIG), asOfS, SCORE_2_CONFIG);
    expect([rating.roiSlippagePct, rating.roiFeePct]).to.deep.equal([null, null]);
  });
});
