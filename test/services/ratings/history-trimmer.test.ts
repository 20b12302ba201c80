import { expect } from 'chai';
import { startHistoryTrimmer } from '#services/ratings/history-trimmer';
import { makeRatingsHome } from '#test/contract/support/lmdb-ratings-home';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the trimmer of verdict histories', () => {
  it('keeps 400 days of each wallet, and counts what it takes', async () => {
    const home = await makeRatingsHome();
    const store = await home.open();
    const wallet = `0x${'ab'.repeat(20)}`;
    for (const day of [0, 1, 2]) {
      const asOfS = AS_OF_S + day * DAY_S;
      await store.putBoardRatings(day + 1, [storedRating({ wallet, asOfS })]);
      await store.publish(sampleBoard({ run: day + 1, asOfS }));
    }
    const clock = new ManualClock((AS_OF_S + 401 * DAY_S) * 1e3);
    const timers = new ManualTimers(clock);
    const trimmer = startHistoryTrimmer({ store, clock, timers }, (error) => {
      throw error;
    });
    timers.advance(5_000);
    while (timers.waiting === 0) await turn();
    trimmer.stop();
    expect((await store.history(wallet, 10)).map(({ asOfS }) => (asOfS - AS_OF_S) / DAY_S)).to.deep.equal([2]);
    expect(trimmer.removed()).to.equal(2);
    await store.close();
    await home.remove();
  });

  it('looks while it is the turn of its process, and at no other time', async () => {
    const timers = new ManualTimers(new ManualClock());
    let isOurs = false;
    let looks = 0;
    const store = {
      trimHistory: async () => {
        looks++;
        return { removed: 1, next: null };
      },
    };
    const clock = new ManualClock();
    const isOurTurn = async () => isOurs;
    const trimmer = startHistoryTrimmer({ store, clock, timers, isOurTurn }, () => undefined);
    const pass = async () => {
      timers.advance(5_000);
      while (timers.waiting === 0) await turn();
    };
    await pass();
    expect(looks).to.equal(0);
    isOurs = true;
    await pass();
    expect([looks, trimmer.removed()]).to.deep.equal([1, 1]);
    trimmer.stop();
  });
});
