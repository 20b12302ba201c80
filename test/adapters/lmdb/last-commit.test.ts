import { expect } from 'chai';
import { LastCommit } from '#adapters/lmdb/last-commit';

describe('a run of transactions that were all ours', () => {
  it('begins with the first', () => {
    expect(new LastCommit().begin(1)).to.deep.equal({ transaction: 1, run: 1, goesOn: false });
  });

  it('goes on while each follows straight on the one before', () => {
    const last = new LastCommit();
    last.committed(last.begin(7));
    for (const transaction of [8, 9, 10]) {
      const begun = last.begin(transaction);
      expect(begun).to.deep.equal({ transaction, run: 1, goesOn: true });
      last.committed(begun);
    }
  });

  it('ends with a transaction of somebody else, and another begins', () => {
    const last = new LastCommit();
    last.committed(last.begin(7));
    const after = last.begin(9);
    expect(after).to.include({ run: 2, goesOn: false });
    last.committed(after);
    expect(last.begin(10)).to.include({ run: 2, goesOn: true });
  });

  it('ends with one that fails, though its number is given again', () => {
    const last = new LastCommit();
    last.committed(last.begin(7));
    expect(last.begin(8)).to.include({ run: 1, goesOn: true });
    expect(last.begin(8)).to.include({ run: 2, goesOn: false });
  });

  it('ends with one that has begun before the end of the one before is known', () => {
    const last = new LastCommit();
    last.committed(last.begin(7));
    const [first, second] = [last.begin(8), last.begin(9)];
    last.committed(first);
    expect(second).to.include({ run: 2, goesOn: false });
    const third = last.begin(10);
    expect(third, 'the second is not committed').to.include({ run: 3, goesOn: false });
    last.committed(second);
    last.committed(third);
    expect(last.begin(11)).to.include({ run: 3, goesOn: true });
  });

  it('does not go on behind two with one number, of which only the first is committed', () => {
    const last = new LastCommit();
    const [first] = [last.begin(8), last.begin(8)];
    last.committed(first);
    expect(last.begin(9)).to.include({ goesOn: false });
  });
});
