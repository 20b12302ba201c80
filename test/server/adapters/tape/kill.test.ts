import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { AS_OF_S, withTape } from '../support/tape-checks.js';
import { KILL_WALLETS, killFills } from '../support/tape-kill-fills.js';

const CHILD = fileURLToPath(new URL('../support/tape-kill-child.js', import.meta.url));
/**
 * The child is killed at a random moment within this time of its start: that is about ten segments
 * and three compactions.
 */
const KILL_WITHIN_MS = 1_500;

/**
 * Returns the segments whose fills a tape holds. Throws where one is there in part, or files are
 * broken.
 */
async function heldSegments(dir: string, upTo: number): Promise<readonly number[]> {
  const tape = await openTape({ dir, threads: 1 });
  try {
    expect(await tape.verify(), 'broken files').to.deep.equal([]);
    const received = (await Promise.all(KILL_WALLETS.map((wallet) => tape.fillsOf(wallet)))).flat();
    const transactions = new Set(received.map(({ tx }) => tx));
    const held = [];
    for (let n = 0; n <= upTo; n++) {
      const there = killFills(n).filter(({ tx }) => transactions.has(tx)).length;
      expect(there, `segment ${n} is there in part`).to.be.oneOf([0, killFills(n).length]);
      if (there > 0) held.push(n);
    }
    expect(received.length, 'fills that nobody added').to.equal(held.length * killFills(0).length);
    return held;
  } finally {
    await tape.close();
  }
}

describe('tape when the process is killed', () => {
  it('loses no segment that was added, doubles none and halves none, whatever instant the process dies', async function () {
    this.timeout(30_000 + KILL_ROUNDS * 20_000);
    const dice = throwDice();
    await withTape(async (tape, dir) => {
      const acknowledged = new Set<number>();
      let compactions = 0;
      for (let round = 0; round < KILL_ROUNDS; round++) {
        const next = Math.max(-1, ...acknowledged) + 1;
        const { lines, killed } = await linesOf(CHILD, [dir, String(next)], dice.next() * KILL_WITHIN_MS);
        if (!killed) throw new Error('the child was not killed');
        for (const line of lines) if (line.startsWith('ack ')) acknowledged.add(Number(line.slice('ack '.length)));
        compactions += lines.filter((line) => line === 'compacted').length;
        const held = await heldSegments(dir, Math.max(next, ...acknowledged) + 1);
        const lost = [...acknowledged].filter((n) => !held.includes(n));
        expect(lost, `seed ${dice.seed}, round ${round}: acknowledged, and not in the tape`).to.deep.equal([]);
      }
      console.log(
        `      seed ${dice.seed}: ${KILL_ROUNDS} kills, ${acknowledged.size} segments, ${compactions} compactions`,
      );
      await tape.compact(AS_OF_S);
      const { fills } = await tape.status();
      expect(fills, 'sorted fills, each once').to.equal((await heldSegments(dir, 10_000)).length * killFills(0).length);
    });
  });
});
