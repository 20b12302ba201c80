import { expect } from 'chai';
import type { Fill } from '#domain/rating/fill';
import { groupBy } from '#domain/rating/group-by';
import { rateSums } from '#domain/rating/rate-sums';
import type { Rating } from '#domain/rating/rating';
import { sumWallet } from '#domain/rating/sum-wallet';
import { needCaptures } from '#test/support/captures';
import { exactColumns, readSynthetic, SCORE_2_CONFIG, SYNTHETIC_AS_OF_S } from '../support/tape-fixtures.js';

/** Columns that are equal to the last digit; an empty cell is null. */
const exactCells = (rating: Rating) => ({
  ...exactColumns(rating),
  verdict: rating.verdict,
  reason: rating.reason,
  entry_price_buckets: rating.priceBuckets.join('|'),
  mix_sports: rating.categoryMixPct.sports,
  mix_politics: rating.categoryMixPct.politics,
  mix_other: rating.categoryMixPct.other,
  mix_crypto: rating.categoryMixPct.crypto,
  p90_n: rating.window.entries,
  is_n: rating.inSample.entries,
  oos_n: rating.outOfSample.entries,
  oos_events: rating.outOfSample.events,
});

/** Columns of floats, told with 6 decimals. */
const floatColumns = ({ window, inSample, outOfSample }: Rating) => ({
  p90_roi: window.roiFee,
  p90_z: window.z,
  p90_ci_low: window.ciLow,
  p90_ci_high: window.ciHigh,
  p90_leave_one_event_out: window.roiWithoutBestEvent,
  is_roi: inSample.roiFee,
  oos_roi: outOfSample.roiFee,
  oos_z: outOfSample.z,
});

const asText = (columns: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value === null ? '' : String(value)]));

const FLOAT_TOLERANCE = 1e-6;

/** The expected table has whole numbers with and without a decimal point. */
const sameCell = (value: string, expected = '') =>
  value === expected || (/^-?[\d.]+$/.test(expected) && value !== '' && Number(value) === Number(expected));

describe('synthetic tape', () => {
  let tape: ReturnType<typeof readSynthetic>;
  let fillsOf: ReadonlyMap<string, readonly Fill[]>;

  before(function () {
    needCaptures(this);
    tape = readSynthetic();
    fillsOf = groupBy(tape.fills, ({ wallet }) => wallet);
  });

  const sumsOf = (wallet: string) =>
    sumWallet(wallet, fillsOf.get(wallet) ?? [], tape.markets, SYNTHETIC_AS_OF_S, SCORE_2_CONFIG);

  it('rates every wallet as expected, in every column', () => {
    expect(tape.expected.length).to.equal(507);
    for (const row of tape.expected) {
      const sums = sumsOf(row.wallet!);
      const rating = rateSums(sums, SYNTHETIC_AS_OF_S, SCORE_2_CONFIG);
      const exact = asText(exactCells(rating));
      const floats = floatColumns(rating);
      expect(Object.keys(row).toSorted()).to.deep.equal(
        ['wallet', ...Object.keys(exact), ...Object.keys(floats)].toSorted(),
      );
      for (const [name, value] of Object.entries(exact)) {
        expect(sameCell(value, row[name]), `${row.wallet} ${name}: ${value}, not ${row[name]}`).to.equal(true);
      }
      for (const [name, value] of Object.entries(floats)) {
        if (row[name] === '') expect(value, `${row.wallet} ${name}`).to.equal(null);
        else expect(value, `${row.wallet} ${name}`).to.be.closeTo(Number(row[name]), FLOAT_TOLERANCE);
      }
    }
  });

  it('sums a wallet alike whether it is given its own fills or those of everybody', () => {
    for (const { wallet = '' } of tape.expected.filter((_, index) => index % 100 === 0)) {
      expect(sumWallet(wallet, tape.fills, tape.markets, SYNTHETIC_AS_OF_S, SCORE_2_CONFIG)).to.deep.equal(
        sumsOf(wallet),
      );
    }
  });
});
