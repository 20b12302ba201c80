import { expect } from 'chai';
import type { LevelChange } from '#domain/book/book';
import { CHANGES_MAX, ChangesSince } from '#domain/book/changes-since';
import type { TokenId } from '#domain/ids';

const change = (priceTicks: number): LevelChange => ({
  tokenId: '1' as TokenId,
  side: 'BUY',
  priceTicks,
  sizeMicros: 1,
  hash: null,
});
const pricesOf = (changes: ReturnType<ChangesSince['after']>) => changes?.map(({ priceTicks }) => priceTicks);

describe('the changes since a question', () => {
  it('are those that came after it, from a moment of the venue on', () => {
    const changes = new ChangesSince();
    changes.add(change(1), 1_000);
    const first = changes.mark();
    changes.add(change(2), 1_001);
    const second = changes.mark();
    changes.add(change(3), 1_002);
    expect(pricesOf(changes.after(first, 0))).to.deep.equal([2, 3]);
    expect(pricesOf(changes.after(first, 1_002))).to.deep.equal([3]);
    expect(pricesOf(changes.after(second, 0))).to.deep.equal([3]);
  });

  it('are not known where more came than are held, until the next question', () => {
    const changes = new ChangesSince();
    const mark = changes.mark();
    for (let n = 0; n < CHANGES_MAX; n++) changes.add(change(n), 1_000);
    expect(changes.after(mark, 0)).to.have.length(CHANGES_MAX);
    changes.add(change(0), 1_000);
    expect(changes.after(mark, 0)).to.equal(null);
    const next = changes.mark();
    changes.add(change(7), 1_001);
    expect([changes.after(mark, 0), pricesOf(changes.after(next, 0))]).to.deep.equal([null, [7]]);
  });
});
