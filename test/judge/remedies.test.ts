import { expect } from 'chai';
import fc from 'fast-check';
import { CHANGES } from '#api/order-plan';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { type OtherOutcome, toRemedies } from '#judge/remedies';
import { arbitraryQuestion, bookOf, OPEN } from '#test/support/arbitrary-books';
import { COVERING_RUNS } from '#test/support/size';

const SEVERITY = { OK: 0, CAUTION: 1, VETO: 2 } as const;
const OWN = '11';
const OTHER = '12';

const levels = (...pairs: readonly (readonly [price: number, shares: number])[]) =>
  pairs.map(([price, shares]) => ({ priceTicks: Math.round(price * 1e4), sizeMicros: Math.round(shares * 1e6) }));

const question = (over: Partial<OrderQuestion> = {}): OrderQuestion => ({
  side: 'BUY',
  usd: 50,
  thresholds: DEFAULT_THRESHOLDS,
  market: { fee: { rate: 0.04, exponent: 1, category: 'test', known: true }, minOrderShares: 5, status: OPEN },
  book: bookOf({ bids: levels([0.4, 1_000], [0.35, 5_000]), asks: levels([0.42, 1_000], [0.5, 5_000]) }),
  bookAgeMs: 1_000,
  ...over,
});

const OTHER_OUTCOME: OtherOutcome = {
  tokenId: OTHER,
  book: bookOf({ bids: levels([0.58, 1_000]), asks: levels([0.61, 1_000]) }),
  bookAgeMs: 1_000,
};

const remedies = (asked: OrderQuestion, other: OtherOutcome | null = null) =>
  toRemedies(asked, assess(asked), OWN, other).map(({ change, order, verdict }) => [change, order, verdict]);

describe('the remedies of an order', () => {
  it('are none where it is OK, and none that would not help', () => {
    expect(remedies(question(), OTHER_OUTCOME)).to.deep.equal([]);
    const closed = { ...question().market, status: { ...OPEN, closed: true } };
    expect(remedies(question({ market: closed, bookAgeMs: 90_000 }), OTHER_OUTCOME)).to.deep.equal([]);
    expect(remedies(question({ usd: 0.5, bookAgeMs: 90_000 }))).to.deep.equal([]);
  });

  it('are the largest safe size of one that is too large', () => {
    const asked = question({ usd: 2_000 });
    const safe = assess(asked).facts.numbers.safeSizeUsd;
    expect(safe).to.be.above(400);
    expect(remedies(asked)).to.deep.equal([['safe_size', { token_id: OWN, side: 'BUY', usd: safe }, 'OK']]);
  });

  it('are the minimum of a BUY below it', () => {
    expect(remedies(question({ usd: 0.4 }))).to.deep.equal([['minimum', { token_id: OWN, side: 'BUY', usd: 1 }, 'OK']]);
  });

  it('are to wait for a fresh book, with the verdict that these levels would have then', () => {
    const order = { token_id: OWN, side: 'BUY', usd: 50 };
    expect(remedies(question({ bookAgeMs: 90_000 }))).to.deep.equal([['wait', order, 'OK']]);
    const large = { ...order, usd: 600 };
    expect(remedies(question({ usd: 600, bookAgeMs: 90_000 }))).to.deep.equal([['wait', large, 'CAUTION']]);
  });

  it('are as many shares of the other outcome in place of a SELL', () => {
    const asked = question({ side: 'SELL', bookAgeMs: 90_000 });
    // 50 USD are 125 shares at 0.40, and as many of the other outcome cost 76.25 at 0.61.
    expect(remedies(asked, OTHER_OUTCOME)).to.deep.equal([
      ['wait', { token_id: OWN, side: 'SELL', usd: 50 }, 'OK'],
      ['other_outcome', { token_id: OTHER, side: 'BUY', usd: 76.25 }, 'OK'],
    ]);
    expect(remedies(asked, { ...OTHER_OUTCOME, bookAgeMs: 90_000 })).to.have.length(1);
    expect(remedies({ ...asked, side: 'BUY' }, OTHER_OUTCOME)).to.have.length(1);
  });

  it('get the verdict that they promise, which is better, if they are asked for on the same book', () => {
    const seen = new Set<string>();
    const arbitraryOther = fc.option(
      arbitraryQuestion.map(({ book, bookAgeMs }) => ({ tokenId: OTHER, book, bookAgeMs })),
    );
    const property = fc.property(arbitraryQuestion, arbitraryOther, (asked, other) => {
      const assessment = assess(asked);
      const found = toRemedies(asked, assessment, OWN, other);
      expect(new Set(found.map(({ change }) => change)).size).to.equal(found.length);
      for (const { change, order, verdict, reason_codes } of found) {
        seen.add(change);
        const on = change === 'other_outcome' ? other! : asked;
        const bookAgeMs = change === 'wait' ? 0 : on.bookAgeMs;
        const again = assess({ ...asked, side: order.side, usd: order.usd, book: on.book, bookAgeMs });
        expect([again.verdict, again.codes]).to.deep.equal([verdict, reason_codes]);
        expect(SEVERITY[verdict]).to.be.below(SEVERITY[assessment.verdict]);
      }
    });
    fc.assert(property, { numRuns: COVERING_RUNS });
    expect([...seen]).to.have.members([...CHANGES]);
  });
});
