import { expect } from 'chai';
import { meanOf, meanReturnPct, percentOf, toTenths } from '#domain/rating/shown-numbers';

describe('shown numbers', () => {
  it('round half away from zero, and never to -0', () => {
    expect([0.25, -0.25, 0.04, -0.04, 12, null].map(toTenths)).to.deep.equal([0.3, -0.3, 0, 0, 12, null]);
    expect([1_000_000n, 500_000n, -500_000n, -400_000n].map((nano) => meanReturnPct(nano, 1, 1))).to.deep.equal([
      0.1, 0.1, -0.1, 0,
    ]);
    expect(percentOf(1, 16, 1)).to.equal(6.3);
    expect(meanOf(5n, 2, 10n, 1)).to.equal(0.3);
  });

  it('are null where there is nothing to divide by', () => {
    expect([percentOf(0, 0, 4), meanReturnPct(0n, 0, 4), meanOf(0n, 0, 1n, 4)]).to.deep.equal([null, null, null]);
  });
});
