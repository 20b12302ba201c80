import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dayAfter } from '#domain/scoreboard/score-day';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/scoreboard-kill-child.js', import.meta.url));
/** The child is killed at a random moment within this time of its first draw: within two days. */
const KILL_WITHIN_MS = 900;

describe('the counts of the scoreboard when the process is killed', () => {
  it('are those of each day, none lost that was written and none counted twice', async function () {
    this.timeout(PROCESS_TEST_MS);
    const dice = throwDice();
    const fixture = await makeRatingsFixture();
    const began = new Map<string, number>();
    const wrote = new Map<string, number>();
    let day = '2026-11-27';
    for (let round = 0; round < KILL_ROUNDS + 1; round++) {
      // The next life begins on the day on which the last one ended.
      const { lines } = await linesOf(CHILD, [fixture.path, `${day}T12:00:00Z`], dice.next() * KILL_WITHIN_MS);
      for (const line of lines) {
        const [what, ofDay = '', passes] = line.split(' ');
        if (what === 'began') began.set(ofDay, (began.get(ofDay) ?? 0) + 1);
        else wrote.set(ofDay, Number(passes));
        day = ofDay > day ? ofDay : day;
      }
      const store = await fixture.open();
      for (const [ofDay, passes] of wrote) {
        const kept = (await store.scores.day(ofDay))?.passes ?? 0;
        expect(kept, `seed ${dice.seed}: ${ofDay} lost draws that were written`).to.be.at.least(passes);
        expect(kept, `seed ${dice.seed}: ${ofDay} has draws twice`).to.be.at.most(began.get(ofDay) ?? 0);
      }
      expect(await store.scores.day(dayAfter(day, 1))).to.equal(null);
      await store.close();
    }
    console.log(`      seed ${dice.seed}: draws written by day ${[...wrote.values()].join(' ')}`);
    expect(wrote.size).to.be.above(0);
    await fixture.remove();
  });
});
