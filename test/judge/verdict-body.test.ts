import { expect } from 'chai';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { noteOf } from '#judge/verdict-body';

const shown = { slug: 's', question: 'q', minOrderShares: 15, matchingDelayS: 0 };

describe('the note of an answer', () => {
  it('says what orders need that take, that a SELL is not known to need anything, and what binds resting ones', () => {
    expect(noteOf(shown)).to.equal(
      'A marketable BUY needs 1 USD; what a marketable SELL needs at least is not known. ' +
        "The market's minimum of 15 shares binds resting orders only. A book walk is a forecast, not a fill.",
    );
  });

  it('says how long the venue holds an order', () => {
    expect(noteOf({ ...shown, matchingDelayS: 3 })).to.match(
      / for 3 s before it matches it, so the book may move first\.$/,
    );
  });

  it('is that of the first rules in evidence of before', () => {
    expect(noteOf(shown, 1)).to.equal(
      "The market's minimum order is 15 shares. A book walk is a forecast, not a fill.",
    );
  });

  it('is on the free example as it would be live', () => {
    expect(DEMO_EXAMPLE.market.thresholds.note).to.equal(noteOf({ ...shown, minOrderShares: 5 }));
  });
});
