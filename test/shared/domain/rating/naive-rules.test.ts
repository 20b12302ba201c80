import { expect } from 'chai';
import { copiesNaively, NAIVE_RULES } from '#domain/rating/naive-rules';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';

const EMPTY = sumWallet('w', [], new Map(), 0, RATING_CONFIG);
const month = (entries: number, returnFeeNano: bigint) => ({ ...EMPTY.window, entries, returnFeeNano });
const copied = (inSample: ReturnType<typeof month>, outOfSample: ReturnType<typeof month>) =>
  NAIVE_RULES.map((rule) => copiesNaively(rule, { ...EMPTY, inSample, outOfSample }));

describe('naive rules', () => {
  it('ask for a profit in so many entries, in one month or in both, and for nothing else', () => {
    expect(copied(month(10, 1n), month(0, 0n))).to.deep.equal([true, false, false]);
    expect(copied(month(10, 1n), month(5, 1n))).to.deep.equal([true, true, false]);
    expect(copied(month(20, 1n), month(15, 1n))).to.deep.equal([true, true, true]);
    expect(copied(month(9, 1n), month(15, 1n))).to.deep.equal([false, false, false]);
    expect(copied(month(20, 0n), month(15, 1n))).to.deep.equal([false, false, false]);
    expect(copied(month(20, 1n), month(15, 0n))).to.deep.equal([true, false, false]);
    expect(copied(month(20, 1n), month(4, 1n))).to.deep.equal([true, false, false]);
  });
});
