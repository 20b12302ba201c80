import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletAddress } from '#domain/ids';
import { WalletQueue } from '#services/wallets/queue';
import { walletNumber } from '#test/contract/store.contract';
import { PROPERTY_RUNS } from '#test/support/size';

const names = (count: number) => Array.from({ length: count }, (_, n) => walletNumber(n));
const [w0, w1, w2, w3, w4, other] = names(6) as [
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
];

/**
 * Returns the wallets whose turn has begun, in order; it is looked at after the event loop has
 * turned.
 */
async function begun(
  queue: WalletQueue,
  wallets: readonly WalletAddress[],
): Promise<() => Promise<readonly WalletAddress[]>> {
  const order: WalletAddress[] = [];
  for (const wallet of wallets) void queue.turn(wallet).then(() => order.push(wallet));
  return async () => {
    await Promise.resolve();
    return order;
  };
}

describe('wallet queue', () => {
  it('gives so many turns at once, in the order in which they were asked for', async () => {
    const queue = new WalletQueue(2);
    const order = await begun(queue, names(5));
    expect(await order()).to.deep.equal([w0, w1]);
    expect(names(5).map((wallet) => queue.positionOf(wallet))).to.deep.equal([0, 0, 1, 2, 3]);
    queue.leave(w1);
    queue.leave(w3);
    queue.leave(w0);
    expect(await order()).to.deep.equal([w0, w1, w2, w4]);
    expect([queue.working, queue.length, queue.positionOf(w0)]).to.deep.equal([2, 0, null]);
  });

  it('does not mind that somebody leaves who was never there, or twice', async () => {
    const queue = new WalletQueue(1);
    const order = await begun(queue, names(2));
    queue.leave(other);
    queue.leave(w0);
    queue.leave(w0);
    expect(await order()).to.deep.equal([w0, w1]);
  });

  it('tells whoever is farther behind to wait at least as long, and more after longer turns, within bounds', () => {
    const tookMs = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.array(tookMs, { maxLength: 5 }),
        fc.nat(5_000),
        tookMs,
        (positions, took, position, more) => {
          const queue = new WalletQueue(positions);
          for (const ms of took) queue.leave(w0, ms);
          const [here, behind] = [queue.retryAfterS(position), queue.retryAfterS(position + 1)];
          expect(behind).to.be.at.least(here);
          expect(here).to.be.within(1, 3_600);
          expect(Number.isInteger(here)).to.equal(true);
          if (took.length === 0) return;
          queue.leave(w0, queue.meanMs + more);
          expect(queue.retryAfterS(position)).to.be.at.least(here);
        },
      ),
      { numRuns: PROPERTY_RUNS / 10 },
    );
  });

  it('takes the first measured turn for the mean, and then lets newer ones count more', () => {
    const queue = new WalletQueue(1);
    queue.leave(w0, 1_000);
    expect([queue.meanMs, queue.retryAfterS(0), queue.retryAfterS(1)]).to.deep.equal([1_000, 1, 2]);
    queue.leave(w1, 11_000);
    expect(queue.meanMs).to.equal(3_000);
  });
});
