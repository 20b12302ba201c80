import { expect } from 'chai';
import fc from 'fast-check';
import { DECISION_TABLE } from '#domain/rating/decision-table';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_REASONS, type RatingReason, type RatingVerdict } from '#domain/rating/rating';
import type { PoolSums, RatingSums } from '#domain/rating/rating-sums';
import { COVERING_RUNS } from '#test/support/size';
import { AS_OF_S, CONFIG, EMPTY_POOL, poolOf, SCORE_2_CONFIG, sumsOf } from '../support/tape-fixtures.js';

/** One dollar won per dollar staked, in nano. */
const DOLLAR = 1_000_000_000n;

const rate = (changes: Partial<RatingSums>) => rateSums(sumsOf(changes), AS_OF_S, CONFIG);

/** What a pool looks like whose copier's stakes could not vary: it has no z. */
const NO_SPREAD = { weightNano: 0n, eventWeightRootsAtto: 0n };

/** On which side of a row's boundary the sums lie, and the row that decides them. */
type Case = readonly [title: string, changes: Partial<RatingSums>, reason: RatingReason];

/**
 * z of these pools is the sum of scores over the root of the count: 25 entries need 2.5 dollars for
 * a z of 0.5.
 */
const CASES: readonly Case[] = [
  ['9 first entries', { firstEntries: 9 }, 'below_floor'],
  ['10 first entries', { firstEntries: 10 }, 'validated'],

  ['3 of 10 markets on both sides are too few', { markets: 10, bothSidedMarkets: 3 }, 'validated'],
  ['4 of 10', { markets: 10, bothSidedMarkets: 4 }, 'validated'],
  ['5 of 10', { markets: 10, bothSidedMarkets: 5 }, 'both_sides'],
  ['9 of 9 markets', { markets: 9, bothSidedMarkets: 9 }, 'validated'],
  ['5 of 16 markets are 31 %', { markets: 16, bothSidedMarkets: 5 }, 'both_sides'],
  ['5 of 17 markets are 29 %', { markets: 17, bothSidedMarkets: 5 }, 'validated'],
  ['30 of 100 markets', { markets: 100, bothSidedMarkets: 30 }, 'both_sides'],
  ['29 of 100 markets', { markets: 100, bothSidedMarkets: 29 }, 'validated'],
  ['both sides, and nothing resolved', { bothSidedMarkets: 100, resolved: 0, earlyResolved: 2 }, 'both_sides'],
  ['both sides, below the floor', { bothSidedMarkets: 9, markets: 10, firstEntries: 9 }, 'below_floor'],

  ['9 resolved', { resolved: 9 }, 'few_resolved'],
  ['10 resolved', { resolved: 10 }, 'validated'],
  ['9 resolved at a loss', { resolved: 9, returnSlippageNano: -DOLLAR }, 'few_resolved'],

  ['a nano lost before fees', { returnSlippageNano: -1n, returnFeeNano: -DOLLAR }, 'lost_money'],
  ['nothing won or lost before fees', { returnSlippageNano: 0n, returnFeeNano: -DOLLAR }, 'fee_fragile'],

  ['a nano lost after fees', { returnFeeNano: -1n }, 'fee_fragile'],
  ['nothing won or lost after fees', { returnFeeNano: 0n }, 'validated'],

  ['half of the entries near-certain', { nearCertain: 50 }, 'farming'],
  ['less than half near-certain', { nearCertain: 49 }, 'validated'],

  ['9 entries in-sample', { inSample: poolOf(9, 7n * DOLLAR) }, 'is_small'],
  ['10 entries in-sample', { inSample: poolOf(10, 7n * DOLLAR) }, 'validated'],

  ['nothing won in-sample', { inSample: poolOf(25, 0n) }, 'is_negative'],
  ['a nano won in-sample', { inSample: poolOf(25, 1n) }, 'validated'],

  ['7 entries out-of-sample', { outOfSample: poolOf(7, 7n * DOLLAR) }, 'oos_small'],
  ['8 entries out-of-sample', { outOfSample: poolOf(8, 7n * DOLLAR) }, 'validated'],
  ['5 events out-of-sample', { outOfSample: poolOf(25, 7n * DOLLAR, { events: 5 }) }, 'oos_small'],
  ['6 events out-of-sample', { outOfSample: poolOf(25, 7n * DOLLAR, { events: 6 }) }, 'validated'],

  ['nothing won out-of-sample', { outOfSample: poolOf(25, 0n) }, 'oos_failed'],
  ['z 0.4999 out-of-sample', { outOfSample: poolOf(25, 2_499_500_000n) }, 'oos_failed'],
  ['z 0.5 out-of-sample', { outOfSample: poolOf(25, 2_500_000_000n) }, 'validated'],

  ['no z out-of-sample, however much was won', { outOfSample: poolOf(25, 7n * DOLLAR, NO_SPREAD) }, 'oos_failed'],

  ['z 1.9599 over the window', { window: poolOf(225, 29_398_500_000n) }, 'not_significant'],
  ['z 1.96 over the window', { window: poolOf(225, 29_400_000_000n) }, 'validated'],
  ['no z over the window, however much was won', { window: poolOf(50, 24n * DOLLAR, NO_SPREAD) }, 'not_significant'],
  ['z 3.3317, and an edge that shrinks to 0.5999c', { window: poolOf(50, 23_558_500_000n) }, 'not_significant'],
  ['z 3.3318, and an edge that shrinks to 0.6c', { window: poolOf(50, 23_559_200_000n) }, 'validated'],
  ['z 2.8, of few entries', { window: poolOf(25, 14n * DOLLAR) }, 'not_significant'],

  [
    'nothing without the best event',
    { window: poolOf(50, 24n * DOLLAR, { bestEventNano: 24n * DOLLAR }) },
    'one_event',
  ],
  ['a nano without it', { window: poolOf(50, 24n * DOLLAR, { bestEventNano: 24n * DOLLAR - 1n }) }, 'validated'],

  ['one result that is known by a last price alone', { unconfirmed: 1 }, 'unconfirmed'],
];

const VERDICTS: Readonly<Record<RatingReason, RatingVerdict>> = {
  below_floor: 'NO_COVERAGE',
  both_sides: 'VETO',
  few_resolved: 'WATCH',
  lost_money: 'VETO',
  fee_fragile: 'WATCH',
  farming: 'WATCH',
  is_small: 'WATCH',
  is_negative: 'WATCH',
  oos_small: 'WATCH',
  oos_failed: 'WATCH',
  not_significant: 'WATCH',
  one_event: 'WATCH',
  unconfirmed: 'WATCH',
  validated: 'COPY',
  tape_short: 'WATCH',
};

/** Not of the table: what becomes of a COPY where not all of the window was seen. */
const DECIDED = RATING_REASONS.filter((reason) => reason !== 'tape_short');

describe('decision table', () => {
  for (const [title, changes, reason] of CASES) {
    it(`${title}: ${reason}`, () => {
      expect(rate(changes)).to.include({ reason, verdict: VERDICTS[reason] });
    });
  }

  it('is tried on both sides of every row', () => {
    expect(new Set(CASES.map(([, , reason]) => reason))).to.deep.equal(new Set(DECIDED));
    expect(DECISION_TABLE.map(({ reason }) => reason)).to.deep.equal(DECIDED);
  });

  it('says why, with the numbers that decided', () => {
    const lost = { returnSlippageNano: -3_333_333_333n, returnFeeNano: -5_333_333_333n };
    const sentences: readonly [Partial<RatingSums>, string][] = [
      [{ firstEntries: 9 }, '9 first entries in 90 days; the floor is 10. ROI is not shown.'],
      [
        { markets: 16, bothSidedMarkets: 5 },
        'Bought both outcomes in 5 of 16 markets (31.3%). A copier of both legs pays the slippage twice for an outcome that nets out.',
      ],
      [
        { firstEntries: 40, resolved: 9, earlyResolved: 11 },
        '9 of 40 entries can be scored (11 settled before their scheduled end, 20 open); 10 are needed.',
      ],
      [lost, 'Copying first entries lost 3.3% per dollar staked before fees (5.3% after) over 100 resolved entries.'],
      [{ returnFeeNano: -2_000_000_000n }, '30% before fees turns into -2% after fees over 100 resolved entries.'],
      [
        { nearCertain: 67 },
        '67% of entries were bought at 0.95 or more: little to win, all to lose, and 2c is most of the margin.',
      ],
      [{ inSample: poolOf(9, DOLLAR) }, 'In-sample month has 9 scorable entries; 10 are needed.'],
      [
        { inSample: poolOf(25, -3n * DOLLAR) },
        'In-sample month 2026-05-02..2026-05-31: -12% after fees over 25 entries.',
      ],
      [
        { outOfSample: poolOf(12, DOLLAR, { events: 5 }) },
        'Out-of-sample month has 12 entries in 5 events; 8 in 6 are needed.',
      ],
      [
        { outOfSample: poolOf(25, -2_166_666_667n) },
        'In-sample 28% did not survive: out-of-sample -8.7% after fees over 25 entries (z -0.4).',
      ],
      [
        { window: poolOf(25, 2_500_000_000n) },
        '10% after fees over 25 entries (95% interval -29.2%..49.2%), ' +
          'edge +5c per share, 95% interval -14.6..+24.6c, shrunken edge -2.42c (0.6c needed): not distinguishable from luck.',
      ],
      [
        { window: poolOf(50, 24n * DOLLAR, { bestEventNano: 25n * DOLLAR }) },
        'Without its best event the result is -2%.',
      ],
      [
        { unconfirmed: 3 },
        '3 of 100 results are known by a last price alone, which the venue has not confirmed: no COPY before it has.',
      ],
      [
        {},
        '48% after fees over 50 entries (95% interval 20.3%..75.7%), edge +24c per share, 95% interval +10.1..+37.9c, ' +
          'shrunken edge +0.66c (0.6c needed); out-of-sample month 28% over 25 entries in 25 events.',
      ],
    ];
    expect(sentences.map(([changes]) => rate(changes).reasonText)).to.deep.equal(sentences.map(([, text]) => text));
    expect(sentences.map(([changes]) => rate(changes).reason)).to.deep.equal(DECIDED);
  });

  it('asks for no shrunken edge where the cut-offs of an earlier rating have none', () => {
    const lucky = sumsOf({ window: poolOf(25, 14n * DOLLAR) });
    expect(rateSums(lucky, AS_OF_S, SCORE_2_CONFIG)).to.include({
      verdict: 'COPY',
      reasonText:
        '56% after fees over 25 entries (95% interval 16.8%..95.2%), edge +28c per share, 95% interval +8.4..+47.6c; ' +
        'out-of-sample month 28% over 25 entries in 25 events.',
    });
  });

  it('takes an edge that the cut-offs make no number of for no proof', () => {
    expect(rateSums(sumsOf(), AS_OF_S, { ...CONFIG, edgePriorSpreadMicros: 0 }).verdict).to.equal('WATCH');
  });

  it('never writes a minus before a zero', () => {
    expect(rate({ returnSlippageNano: -1n, returnFeeNano: -1n }).reasonText).to.contain('lost 0% per dollar');
    expect(rate({ outOfSample: poolOf(25, -1n) }).reasonText).to.contain(
      'out-of-sample 0% after fees over 25 entries (z 0)',
    );
  });

  it('knows no COPY without an out-of-sample month that holds, whatever the rest says', () => {
    let copies = 0;
    fc.assert(
      fc.property(arbitrarySums, (sums) => {
        const { verdict, outOfSample, inSample, window } = rateSums(sums, AS_OF_S, CONFIG);
        if (verdict !== 'COPY') return;
        copies += 1;
        expect(outOfSample.entries).to.be.at.least(8);
        expect(outOfSample.events).to.be.at.least(6);
        expect(outOfSample.roiFee).to.be.above(0);
        expect(outOfSample.z).to.be.at.least(0.5);
        expect(inSample.entries).to.be.at.least(10);
        expect(inSample.roiFee).to.be.above(0);
        expect(window.z).to.be.at.least(1.96);
        expect(window.ciLow).to.be.at.least(0);
        expect(window.roiWithoutBestEvent).to.be.above(0);
      }),
      { numRuns: COVERING_RUNS },
    );
    expect(copies, 'COPY was reached').to.be.above(0);
  });
});

/** A pool of so many entries near the boundaries, or none. */
const arbitraryPool: fc.Arbitrary<PoolSums> = fc
  .record({
    entries: fc.integer({ min: 0, max: 40 }),
    returnFeeNano: fc.bigInt({ min: -DOLLAR, max: 40n * DOLLAR }),
    events: fc.integer({ min: 4, max: 40 }),
    bestEventNano: fc.bigInt({ min: 0n, max: 4n * DOLLAR }),
  })
  .map(({ entries, returnFeeNano, events, bestEventNano }) =>
    entries === 0 ? EMPTY_POOL : poolOf(entries, returnFeeNano, { events: Math.min(events, entries), bestEventNano }),
  );

const arbitrarySums: fc.Arbitrary<RatingSums> = fc
  .record({
    inSample: arbitraryPool,
    outOfSample: arbitraryPool,
    window: arbitraryPool,
    bothSidedMarkets: fc.constantFrom(0, 0, 0, 30),
    nearCertain: fc.constantFrom(0, 0, 0, 50),
    resolved: fc.constantFrom(100, 100, 9),
    returnSlippageNano: fc.constantFrom(DOLLAR, DOLLAR, 0n, -DOLLAR),
  })
  .map((changes) => sumsOf(changes));
