import { expect } from 'chai';
import fc from 'fast-check';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { EDGES, STRENGTH } from '#domain/rating/strength/edge-grid';
import { type EdgePrior, fitEdgePrior } from '#domain/rating/strength/edge-prior';
import { EdgeTally } from '#domain/rating/strength/edge-tally';
import { edgeProbability, strengthOf } from '#domain/rating/strength/strength';
import { sumWallet } from '#domain/rating/sum-wallet';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { edgeSums, normalSpread } from '#test/support/edge-sums';
import { PROPERTY_RUNS } from '#test/support/size';

const ERRORS = [0.02, 0.03, 0.045, 0.06, 0.08];

/** What is seen of so many wallets that all have one edge. */
const seenOf = (wallets: number, edge: number) =>
  normalSpread(wallets).map((draw, n) => {
    const standardError = ERRORS[n % ERRORS.length]!;
    return { mean: edge + draw * standardError, standardError };
  });

const spreadOf = (seen: ReturnType<typeof seenOf>): EdgePrior | null => {
  const tally = new EdgeTally(RATING_CONFIG);
  for (const { mean, standardError } of seen) tally.add(edgeSums(mean, standardError));
  return fitEdgePrior(tally.cells());
};

/** Part of the wallets whose edge lies between two numbers of cents. */
const shareBetween = (prior: EdgePrior, low: number, high: number) =>
  prior.reduce((sum, share, i) => (EDGES[i]! * 100 >= low && EDGES[i]! * 100 <= high ? sum + share / 1e9 : sum), 0);

/** The same evidence, in three months. */
const inMonths = (mean: number, standardError: number) => {
  const month = edgeSums(mean, standardError * Math.sqrt(3));
  return { older: month, inSample: month, outOfSample: month };
};

/** Nine in ten wallets cost their copiers three cents a share, one in ten earns them ten. */
const MIXED = [...seenOf(4_500, -0.03), ...seenOf(500, 0.1)];
const SKILLED = spreadOf(MIXED)!;
const UNSKILLED = spreadOf(seenOf(5_000, -0.03))!;

describe('how edges are spread', () => {
  it('is found again from what is seen of all wallets', () => {
    expect(shareBetween(SKILLED, -20, 30)).to.be.closeTo(1, 1e-6);
    expect(shareBetween(SKILLED, -7, 1)).to.be.closeTo(0.9, 0.01);
    expect(shareBetween(SKILLED, 6, 14)).to.be.closeTo(0.1, 0.01);
    expect(shareBetween(UNSKILLED, -7, 1)).to.be.above(0.999);
  });

  it('is the same to the last digit in whatever order and batches the wallets come', () => {
    expect(spreadOf(MIXED.toReversed())).to.deep.equal(SKILLED);
    const own = MIXED.toSorted((a, b) => a.mean - b.mean);
    expect(spreadOf(own)).to.deep.equal(SKILLED);
  });

  it('is not told from too few wallets, nor from wallets with few entries', () => {
    expect(spreadOf(MIXED.slice(0, STRENGTH.walletsMin - 1))).to.equal(null);
    expect(spreadOf(MIXED.slice(0, STRENGTH.walletsMin))).to.not.equal(null);
    const tally = new EdgeTally(RATING_CONFIG);
    for (const { mean, standardError } of MIXED) tally.add(edgeSums(mean, standardError, STRENGTH.entriesMin - 1));
    expect(tally.cells()).to.deep.equal([]);
  });

  it('keeps what is far out in as many cells as ever, however wild it is', () => {
    const tally = new EdgeTally(RATING_CONFIG);
    for (let n = 1; n < 5_000; n++) tally.add(edgeSums((-1) ** n * n, n / 1e6));
    expect(tally.cells().length).to.be.below(300);
    expect(fitEdgePrior(tally.cells())!.every(Number.isInteger)).to.equal(true);
  });
});

describe('the second mark of a COPY', () => {
  const COPY = { verdict: 'COPY' } as const;
  const mark = (months: ReturnType<typeof inMonths>, prior: EdgePrior | null) =>
    strengthOf(COPY, months, prior, RATING_CONFIG);
  const chance = (months: ReturnType<typeof inMonths>) => edgeProbability(months, SKILLED, RATING_CONFIG);

  it('is given where it is likely enough that the edge is still there', () => {
    expect(mark(inMonths(0.1, 0.02), SKILLED)).to.equal('strong');
    expect(mark(inMonths(0.1, 0.08), SKILLED), 'too few entries').to.equal(null);
    expect(mark(inMonths(0.02, 0.01), SKILLED), 'too small an edge').to.equal(null);
    expect(mark(inMonths(0.1, 0.02), null), 'nothing is known of others').to.equal(null);
  });

  it('is harder to get where fewer wallets have skill', () => {
    const months = inMonths(0.1, 0.03);
    expect(chance(months)).to.be.above(0.9);
    expect(edgeProbability(months, UNSKILLED, RATING_CONFIG)).to.be.below(0.2);
  });

  it('counts what was seen less the older it is', () => {
    const [good, bad] = [edgeSums(0.1, 0.04), edgeSums(-0.03, 0.04)];
    const stopped = chance({ older: good, inSample: good, outOfSample: bad });
    const began = chance({ older: bad, inSample: good, outOfSample: good });
    expect(stopped).to.be.below(0.5);
    expect(began).to.be.above(stopped + 0.2);
  });

  it('is given to next to nobody where nobody has skill, even if every wallet were a COPY', () => {
    const draws = normalSpread(15_000);
    const strong = Array.from({ length: 5_000 }, (_, n) => {
      const standardError = ERRORS[n % ERRORS.length]! * Math.sqrt(3);
      const month = (m: number) => edgeSums(-0.03 + draws[3 * n + m]! * standardError, standardError);
      return mark({ older: month(0), inSample: month(1), outOfSample: month(2) }, UNSKILLED);
    });
    expect(strong.filter((one) => one !== null)).to.have.length(0);
  });

  it('is on no other verdict, changes nothing in the rating, and the rating does not know of it', () => {
    fc.assert(
      fc.property(
        arbitraryTape(),
        fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: EDGES.length, maxLength: EDGES.length }),
        ({ fills, markets, asOfS }, prior) => {
          const sums = sumWallet('0xw1', fills, markets, asOfS, RATING_CONFIG);
          const rating = rateSums(sums, asOfS, RATING_CONFIG);
          const before = structuredClone(rating);
          const mark = strengthOf(rating, sums, prior, RATING_CONFIG);
          if (rating.verdict !== 'COPY') expect(mark).to.equal(null);
          expect(mark).to.be.oneOf([null, 'strong']);
          expect(edgeProbability(sums, prior, RATING_CONFIG)).to.be.within(0, 1 + 1e-9);
          expect(rateSums(sums, asOfS, RATING_CONFIG)).to.deep.equal(before);
          expect(rating).to.deep.equal(before);
        },
      ),
      { numRuns: PROPERTY_RUNS / 100 },
    );
  });
});
