import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/wallets-kill-child.js', import.meta.url));
const WALLETS = 16;
/** Each starts two processes. */
const ROUNDS = KILL_ROUNDS / 2;
/** Computing all of them takes about this long. */
const KILL_WITHIN_MS = 250;

const ratedIn = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('rated ')).map((line) => line.slice('rated '.length));

describe('wallets when the process is killed', () => {
  it('compute after it every wallet that was queued, and none again that was rated', async function () {
    this.timeout(PROCESS_TEST_MS);
    const dice = throwDice();
    const before: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const where = `seed ${dice.seed}, round ${round}`;
      const fixture = await makeRatingsFixture();
      const first = await linesOf(CHILD, [fixture.path, String(WALLETS), 'ask'], dice.next() * KILL_WITHIN_MS);
      const wasQueued = first.lines.includes('queued');
      const second = await linesOf(CHILD, [fixture.path, String(WALLETS), 'resume'], null);
      const again = ratedIn(second.lines).filter((wallet) => ratedIn(first.lines).includes(wallet));
      expect(again, where).to.deep.equal([]);
      const store = await fixture.open();
      const missing: string[] = [];
      for (let n = 1; n <= WALLETS; n++) {
        if ((await store.demandRating(walletNumber(n))) === null) missing.push(walletNumber(n));
      }
      if (wasQueued) expect(missing, where).to.deep.equal([]);
      expect(await store.walletRows(null, 10), where).to.deep.equal({ items: [], next: null });
      before.push(ratedIn(first.lines).length);
      await fixture.remove();
    }
    console.log(`      seed ${dice.seed}: ${ROUNDS} kills, wallets rated before each ${before.join(' ')}`);
  });
});
