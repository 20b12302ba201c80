import { expect } from 'chai';
import { lazyTape } from '#adapters/tape/lazy-tape';
import type { Tape } from '#ports/tape';
import { fillOf, withTape } from '../support/tape-checks.js';

describe('a tape that is opened when it is needed', () => {
  it('is opened once, however many ask first, and is then the tape', async () => {
    await withTape(async (real) => {
      let opens = 0;
      const tape = lazyTape(async () => {
        opens++;
        return real;
      });
      await Promise.all([tape.addFills('a', [fillOf()]), tape.status(), tape.namesOf(['0x1'])]);
      expect(await tape.fillsOf(fillOf().wallet)).to.have.length(1);
      expect(opens).to.equal(1);
    });
  });

  it('is not opened only to be closed, and not after', async () => {
    const tape = lazyTape(() => Promise.reject(new Error('nobody asked for it')));
    await tape.close();
    expect(await tape.status().catch((error: Error) => error.message)).to.equal('tape: it is closed');
  });

  it('tells why it cannot be opened, and tries again when it is asked again', async () => {
    let opens = 0;
    const tape = lazyTape(async () => {
      if (++opens === 1) throw new Error('the disk is gone');
      return { status: async () => 'here' } as unknown as Tape;
    });
    expect(await tape.status().catch((error: Error) => error.message)).to.equal('the disk is gone');
    expect(await tape.status()).to.equal('here');
  });
});
