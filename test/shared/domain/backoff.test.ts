import { expect } from 'chai';
import { backoffMs, halfByChance } from '#domain/backoff';

describe('backing off', () => {
  const bounds = { minMs: 100, maxMs: 1_000 };

  for (const [doublings, least, most] of [
    [0, 50, 100],
    [1, 100, 200],
    [3, 400, 800],
    [4, 500, 1_000],
    [2_000, 500, 1_000],
  ] as const) {
    it(`waits ${least} to ${most} ms after ${doublings} doublings of 100 ms, capped at 1000 ms`, () => {
      expect(backoffMs(bounds, doublings, 0)).to.equal(least);
      expect(backoffMs(bounds, doublings, 1)).to.equal(most);
    });
  }

  it('leaves half of a wait to chance', () => {
    expect([0, 0.5, 1].map((chance) => halfByChance(2_000, chance))).to.deep.equal([1_000, 1_500, 2_000]);
  });
});
