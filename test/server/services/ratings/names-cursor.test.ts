import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletName } from '#ports/tape';
import { NamesCursor } from '#services/ratings/names-cursor';

const WALLETS = Array.from({ length: 30 }, (_, n) => `0x${String(n).padStart(2, '0')}`);

/** Some of the wallets, in their order, cut into batches of which some are empty. */
const arbitraryBatches = fc
  .tuple(fc.subarray(WALLETS), fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 60, maxLength: 60 }))
  .map(([wallets, sizes]) => {
    const batches: string[][] = [];
    let at = 0;
    for (const size of sizes) {
      batches.push(wallets.slice(at, at + size));
      at += size;
    }
    return [...batches, wallets.slice(at)];
  });

describe('the names beside a run', () => {
  it('are those of the wallets that are asked for, whatever pieces both come in, and are read once', () =>
    fc.assert(
      fc.asyncProperty(arbitraryBatches, arbitraryBatches, async (named, requested) => {
        let [readings, isEnded] = [0, false];
        async function* names(): AsyncGenerator<readonly WalletName[]> {
          readings++;
          try {
            for (const batch of named) yield batch.map((wallet) => ({ wallet, name: `name of ${wallet}` }));
          } finally {
            isEnded = true;
          }
        }
        const cursor = new NamesCursor(names());
        const existing = new Set(named.flat());
        for (const wallets of requested) {
          const expected = wallets
            .filter((wallet) => existing.has(wallet))
            .map((wallet) => [wallet, `name of ${wallet}`]);
          expect([...(await cursor.of(wallets))]).to.deep.equal(expected);
        }
        await cursor.end();
        expect([readings, isEnded]).to.satisfy(([n, ended]: [number, boolean]) => n === 0 || (n === 1 && ended));
      }),
    ));
});
