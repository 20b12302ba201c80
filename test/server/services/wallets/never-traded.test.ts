import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import { LOOK_MS_MAX, LOOKS_MAX, NeverTraded } from '#services/wallets/never-traded';
import { walletNumber } from '#test/contract/store.contract';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const A = walletNumber(0xa);

describe('wallets that never traded', () => {
  const clock = new ManualClock(1_785_542_400_000);
  const timers = new ManualTimers(clock);
  let answers: Map<WalletAddress, (traded: boolean | Error) => void>;
  let cached: NeverTraded;

  beforeEach(() => {
    answers = new Map();
    const hasTraded = (wallet: WalletAddress) =>
      new Promise<boolean>((resolve, reject) => {
        answers.set(wallet, (traded) => (typeof traded === 'boolean' ? resolve(traded) : reject(traded)));
      });
    cached = new NeverTraded({ trades: { hasTraded }, clock, timers });
  });

  const look = async (traded: boolean | Error) => {
    const looked = cached.look(A);
    answers.get(A)?.(traded);
    return [await looked, cached.isCached(A)];
  };

  it('are remembered for five minutes once the venue has said so', async () => {
    expect(await look(false)).to.deep.equal([true, true]);
    timers.advance(300_000);
    expect(cached.isCached(A)).to.equal(true);
    timers.advance(1);
    expect(cached.isCached(A)).to.equal(false);
  });

  it('are none of those that traded, or that the venue cannot tell', async () => {
    expect(await look(true)).to.deep.equal([false, false]);
    expect(await look(new Error('503'))).to.deep.equal([false, false]);
  });

  it('are not waited for beyond the limit, and no wait is left over by an answer in time', async () => {
    const looked = cached.look(A);
    timers.advance(LOOK_MS_MAX);
    expect(await looked).to.equal(false);
    await look(false);
    expect(timers.waiting).to.equal(0);
  });

  it('are looked for so many at once; a place is free when the venue has answered, not when the wait is over', async () => {
    const all = Array.from({ length: LOOKS_MAX }, (_, n) => cached.look(walletNumber(n + 1)));
    timers.advance(LOOK_MS_MAX);
    expect(await Promise.all(all)).to.deep.equal(all.map(() => false));
    expect(await cached.look(walletNumber(1_000))).to.equal(false);
    expect(answers.size).to.equal(LOOKS_MAX);
    answers.get(walletNumber(1))?.(false);
    await new Promise(setImmediate);
    void cached.look(walletNumber(1_000));
    expect(answers.size).to.equal(LOOKS_MAX + 1);
  });
});
