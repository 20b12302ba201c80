import { expect } from 'chai';
import type { JobHold } from '#ports/job-leases';
import type { RatingsStore } from '#ports/ratings-store';
import { keptBoards } from '#services/ratings/kept-boards';
import { outsideErrorOf } from '#test/support/promises';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { AS_OF_S, sampleBoard } from '#test/support/sample-ratings';
import type { RatingsFixture } from './ratings-store.contract.js';
import { walletNumber } from './store.contract.js';

const DAY_S = 86_400;
const boardOf = (day: number) => followedBoard({ asOfS: AS_OF_S + day * DAY_S, run: day + 1 });

/** What every engine behind the FollowStore port has to do. */
export function describeFollowStore(name: string, makeFixture: () => Promise<RatingsFixture>): void {
  describe(`${name} boards that are followed`, () => {
    let fixture: RatingsFixture;
    let store: RatingsStore;
    let hold: JobHold;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
      hold = (await store.jobs.claim('night', 'a'))!;
    });

    afterEach(async () => {
      await store.close();
      await fixture.remove();
    });

    const publish = (day: number, changes: object = {}) => {
      const followed = { ...boardOf(day), ...changes };
      return store.publish(sampleBoard({ run: followed.run, asOfS: followed.asOfS }), hold, followed);
    };
    const all = async () => (await keptBoards(store.follows)).boards;

    it('are none in the beginning, and none of a board that was not to be followed', async () => {
      expect(await all()).to.deep.equal([]);
      await store.publish(sampleBoard({ run: 1 }), hold);
      expect(await all()).to.deep.equal([]);
      expect(await store.follows.trim(AS_OF_S + DAY_S)).to.equal(0);
    });

    it('are kept with the board that comes into force, over a restart and the next boards as well', async () => {
      for (const day of [0, 1, 2]) await publish(day);
      await store.close();
      store = await fixture.open();
      expect(await all()).to.deep.equal([0, 1, 2].map(boardOf));
    });

    it('are not kept where the board does not come into force', async () => {
      await publish(1);
      await outsideErrorOf(publish(0));
      await store.jobs.release(hold);
      await store.jobs.claim('night', 'b');
      await outsideErrorOf(publish(2));
      expect(await all()).to.deep.equal([boardOf(1)]);
    });

    it('are one of each moment, the first: nobody chooses another by what came after', async () => {
      await publish(0);
      await store.follows.putResult(AS_OF_S, followResult(), hold);
      await publish(0, { run: 9, wallets: [walletNumber(9)], config: 'another' });
      expect((await store.board())?.run).to.equal(9);
      expect(await all()).to.deep.equal([{ ...boardOf(0), result: followResult() }]);
    });

    it('have the newest result, whole, and the wallets that they had', async () => {
      await publish(0);
      await publish(1);
      const final = followResult({ isFinal: true, roi: null, low: null, high: null, unseenS: 0 });
      for (const result of [followResult(), final, final]) await store.follows.putResult(AS_OF_S, result, hold);
      expect(await all()).to.deep.equal([{ ...boardOf(0), result: final }, boardOf(1)]);
    });

    it('get no result that nobody follows any more', async () => {
      await store.follows.putResult(AS_OF_S, followResult(), hold);
      expect(await all()).to.deep.equal([]);
    });

    it('get no result from whoever has lost the job', async () => {
      await publish(0);
      await store.jobs.release(hold);
      const next = (await store.jobs.claim('night', 'b'))!;
      await outsideErrorOf(store.follows.putResult(AS_OF_S, followResult(), hold));
      expect(await all()).to.deep.equal([boardOf(0)]);
      await store.follows.putResult(AS_OF_S, followResult(), next);
      expect((await all())[0]?.result).to.deep.equal(followResult());
    });

    it('are listed by the page, the oldest first', async () => {
      for (const day of [0, 1, 2]) await publish(day);
      const { items, faults, next } = await store.follows.list(null, 2);
      expect([items, faults]).to.deep.equal([[boardOf(0), boardOf(1)], []]);
      expect(await store.follows.list(next, 2)).to.deep.equal({ items: [boardOf(2)], faults: [], next: null });
    });

    it('are removed when they are older than wanted, and no others', async () => {
      for (const day of [0, 1, 2]) await publish(day);
      expect(await store.follows.trim(AS_OF_S + 2 * DAY_S)).to.equal(2);
      expect(await all()).to.deep.equal([boardOf(2)]);
    });
  });
}
