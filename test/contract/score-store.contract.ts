import { expect } from 'chai';
import type { JobHold } from '#ports/job-leases';
import type { RatingsStore } from '#ports/ratings-store';
import { outsideErrorOf } from '#test/support/promises';
import { scoreDay } from '#test/support/sample-scores';
import type { RatingsFixture } from './ratings-store.contract.js';

/** What every engine behind the ScoreStore port has to do. */
export function describeScoreStore(name: string, makeFixture: () => Promise<RatingsFixture>): void {
  describe(`${name} days of the scoreboard`, () => {
    let fixture: RatingsFixture;
    let store: RatingsStore;
    let hold: JobHold;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
      hold = (await store.jobs.claim('scoreboard', 'a'))!;
    });

    afterEach(async () => {
      await store.close();
      await fixture.remove();
    });

    it('are none in the beginning', async () => {
      expect(await store.scores.day('2026-11-27')).to.equal(null);
      expect(await store.scores.trim('2026-11-27')).to.equal(0);
    });

    it('are kept whole, over a restart as well', async () => {
      const day = scoreDay('2026-11-27', 3);
      await store.scores.put(day, hold);
      await store.close();
      store = await fixture.open();
      expect(await store.scores.day('2026-11-27')).to.deep.equal(day);
      expect(await store.scores.day('2026-11-26')).to.equal(null);
    });

    it('are replaced and not added to when they are written again', async () => {
      await store.scores.put(scoreDay('2026-11-27', 3), hold);
      await store.scores.put(scoreDay('2026-11-27', 5), hold);
      await store.scores.put(scoreDay('2026-11-27', 5), hold);
      expect(await store.scores.day('2026-11-27')).to.deep.equal(scoreDay('2026-11-27', 5));
    });

    it('are not written by whoever has lost the job', async () => {
      await store.scores.put(scoreDay('2026-11-27', 3), hold);
      await store.jobs.release(hold);
      const next = (await store.jobs.claim('scoreboard', 'b'))!;
      await outsideErrorOf(store.scores.put(scoreDay('2026-11-27', 9), hold));
      expect(await store.scores.day('2026-11-27')).to.deep.equal(scoreDay('2026-11-27', 3));
      await store.scores.put(scoreDay('2026-11-27', 4), next);
      expect(await store.scores.day('2026-11-27')).to.deep.equal(scoreDay('2026-11-27', 4));
    });

    it('are listed by the page, the oldest first', async () => {
      for (const day of ['2026-11-27', '2026-11-25', '2026-11-26']) await store.scores.put(scoreDay(day, 1), hold);
      const { items, faults, next } = await store.scores.list(null, 2);
      expect([items, faults]).to.deep.equal([[scoreDay('2026-11-25', 1), scoreDay('2026-11-26', 1)], []]);
      expect((await store.scores.list(next, 2)).items).to.deep.equal([scoreDay('2026-11-27', 1)]);
    });

    it('are removed when they are older than wanted, and no others', async () => {
      for (const day of ['2026-11-25', '2026-11-26', '2026-11-27']) await store.scores.put(scoreDay(day, 1), hold);
      expect(await store.scores.trim('2026-11-27')).to.equal(2);
      expect(await store.scores.day('2026-11-26')).to.equal(null);
      expect(await store.scores.day('2026-11-27')).to.deep.equal(scoreDay('2026-11-27', 1));
    });
  });
}
