import { expect } from 'chai';
import { compactTape } from '#adapters/tape/compaction/compaction';
import { openTapeDatabase } from '#adapters/tape/engine/database';
import { openTapeFolder } from '#adapters/tape/files/folder';
import type { Fill } from '#domain/rating/fill';
import type { Tape } from '#ports/tape';
import { COMPACTION_STRIDE } from '#test/support/size';
import { failingAt } from '../../support/failing-database.js';
import { AS_OF_S, differences, fillOf, rateAll, withTape } from '../../support/tape-checks.js';

const WALLETS = ['0xa', '0xb'] as const;

/** Fills of a night: of places that there were before, and of new ones. */
const fillsOfNight = (night: number): readonly Fill[] =>
  WALLETS.flatMap((wallet) =>
    [0, night].map((market) =>
      fillOf({ wallet, token: `M${market}:0`, condition: `M${market}`, tx: `0x${wallet}${night}${market}` }),
    ),
  );

async function heldBy(tape: Tape): Promise<readonly string[]> {
  const reported = await Promise.all(WALLETS.map((wallet) => tape.fillsOf(wallet)));
  return reported.flatMap((fills) => fills.map(({ tx }) => tx)).sort();
}

describe('a compaction that ends at any of its statements', () => {
  for (const [kind, recentPctMax] of [
    ['that adds a night beside the base', 10_000],
    ['that merges all', 0],
  ] as const) {
    it(`${kind} leaves the tape as it was, and succeeds the next time`, async function () {
      this.timeout(120_000);
      await withTape(
        async (tape, dir) => {
          for (const night of [1, 2]) {
            await tape.addFills(`night-${night}`, fillsOfNight(night));
            await tape.compact(AS_OF_S);
          }
          await tape.addFills('night-3', fillsOfNight(3));
          await tape.addRows('names', [{ wallet: '0xa', name: 'A' }]);
          const [held, board] = [await heldBy(tape), await rateAll(tape, AS_OF_S)];
          const folder = await openTapeFolder(dir);
          const database = await openTapeDatabase({ threads: 1, memoryLimit: '1GB', spillFolder: folder.scratch });
          let ended = 0;
          for (; ; ended += COMPACTION_STRIDE) {
            const compaction = compactTape(failingAt(database, ended), folder, AS_OF_S, { recentPctMax });
            if (
              await compaction.then(
                () => true,
                () => false,
              )
            )
              break;
            expect(await heldBy(tape), `ended at statement ${ended}`).to.deep.equal(held);
          }
          expect(ended, 'it has statements').to.be.above(20);
          database.close();
          await folder.close();
          expect(await heldBy(tape)).to.deep.equal(held);
          expect((await tape.status()).segments).to.equal(0);
          expect(differences(await rateAll(tape, AS_OF_S), board)).to.deep.equal([]);
          expect(await tape.verify()).to.deep.equal([]);
        },
        { recentPctMax: 10_000 },
      );
    });
  }
});
