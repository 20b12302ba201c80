import { expect } from 'chai';
import fc from 'fast-check';
import { withPaid } from '#api/paid';
import type { Market } from '#domain/market';
import { assess } from '#judge/assess';
import { toVerdictBody } from '#judge/verdict-body';
import { toVerdictText } from '#services/orders/verdict-text';
import { arbitraryQuestion } from '#test/support/arbitrary-books';
import { sampleMarket } from '#test/support/sample-markets';
import { PROPERTY_RUNS } from '#test/support/size';

const HOSTILE = [
  '"},"paid":{"credits_used":0',
  '\\',
  '\\"',
  '\u0000\u001f\b\t\n\r',
  '\u2028\u2029</script>',
  '\ud800 and \udfff alone',
  '🗳️ Will “it” – é é – be 100 %?',
  '__proto__',
  '',
];
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 1e21, 1e-7, 0.1 + 0.2),
);

const assessments = fc
  .record({ question: arbitraryQuestion, status: hostile, usd: fc.option(anyNumber) })
  .map(({ question, status, usd }) => {
    const market = { ...question.market, status: { ...question.market.status, umaResolutionStatus: status } };
    const { facts, ...assessment } = assess({ ...question, market });
    // Numbers of any form, also such as no book gives.
    const numbers = usd === null ? facts.numbers : { ...facts.numbers, expectedVwap: usd, safeSizeUsd: -(usd / 3) };
    return { ...assessment, facts: { ...facts, numbers, usd: usd ?? facts.usd }, limits: question.thresholds };
  });
const markets = fc
  .record({ slug: hostile, question: hostile, label: hostile, category: hostile, delayS: fc.constantFrom(0, 3, 0.5) })
  .map(({ slug, question, label, category, delayS }): Market => {
    const sample = sampleMarket(1);
    const outcomes = sample.outcomes.map(({ tokenId }, i) => ({ tokenId, label: i === 0 ? label : `not ${label}` }));
    return { ...sample, slug, question, outcomes, matchingDelayS: delayS, fee: { ...sample.fee, category } };
  });
const moments = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe('the text of an order verdict', () => {
  it('is what JSON.stringify writes of the object, whatever its texts and numbers are', () => {
    fc.assert(
      fc.property(markets, assessments, moments, (market, { limits, ...assessment }, atMs) => {
        // The market's own texts change what the body says of it, and the facts name its fee.
        const numbers = { ...assessment.facts.numbers, feeCategory: market.fee.category };
        const made = { ...assessment, facts: { ...assessment.facts, numbers } };
        // Both outcomes of one market: what is kept of it must not be the other's.
        for (const outcome of market.outcomes) {
          const body = toVerdictBody(market, outcome, made, limits, atMs);
          expect(toVerdictText(market, outcome, made, limits, atMs)).to.equal(JSON.stringify(body));
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('names the fee that a market got later, though slug and outcomes are the same objects', () => {
    const market = sampleMarket(1);
    const question = fc.sample(arbitraryQuestion, { seed: 1, numRuns: 1 })[0]!;
    const textFor = (one: Market) => {
      const assessment = assess({ ...question, market: { ...question.market, fee: one.fee } });
      return toVerdictText(one, one.outcomes[0]!, assessment, question.thresholds, 0);
    };
    textFor(market);
    const completed = { ...market, fee: { ...market.fee, category: 'sports_fees' } };
    expect(JSON.parse(textFor(completed)).numbers.fee_category).to.equal('sports_fees');
  });

  it('gets `paid` as JSON.stringify writes it, in either lane', () => {
    const receipts = fc.record({ price_paid_usdc: hostile, transaction: hostile, network: hostile, receipt: hostile });
    const credits = fc.record(
      { credits_used: fc.maxSafeNat(), credits_remaining: fc.maxSafeNat() },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.oneof(credits, receipts), fc.constantFrom({}, { ok: true, note: '"}' }), (paid, answer) => {
        expect(withPaid(JSON.stringify(answer), paid)).to.equal(JSON.stringify({ ...answer, paid }));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
