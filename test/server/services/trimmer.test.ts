import { expect } from 'chai';
import { ANSWER_STORED_MS } from '#services/credits/charges';
import { expiredAnswers, oldVerdicts, startTrimmer } from '#services/trimmer';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';
import { type CreditsBench, makeCredits, request } from './support/credits-home.js';

const WALLET = walletNumber(1);
/** Longer than the pause between two looks. */
const PAUSE_MS = 60_000;
const DAY_S = 86_400;
const nothing = () => undefined;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a trimmer', () => {
  let bench: CreditsBench;
  let timers: ManualTimers;
  beforeEach(async () => {
    timers = new ManualTimers(new ManualClock());
    bench = await makeCredits();
    await bench.credits.grant(WALLET, 10, 365, '');
  });
  afterEach(() => bench.remove());

  it('of answers removes those that are expired, and leaves the others', async () => {
    const keep = (key: string) => bench.credits.charge(request({ idempotency: { key, fingerprint: 'f' } }));
    await keep('old');
    bench.clock.add(ANSWER_STORED_MS);
    await keep('new');
    const trimmer = startTrimmer(expiredAnswers(bench.store), { ...bench, timers, onError: nothing });
    expect((await bench.store.answer({ wallet: WALLET, code: null, key: 'old' }))?.key).to.equal('old');
    timers.advance(PAUSE_MS);
    while (timers.waiting === 0) await turn();
    trimmer.stop();
    expect(await bench.store.answer({ wallet: WALLET, code: null, key: 'old' })).to.equal(null);
    expect((await bench.store.answer({ wallet: WALLET, code: null, key: 'new' }))?.key).to.equal('new');
  });

  it('of verdicts keeps 400 days of each wallet, and counts what it takes', async () => {
    const fixture = await makeRatingsFixture();
    const store = await fixture.open();
    const wallet = `0x${'ab'.repeat(20)}`;
    for (const day of [0, 1, 2]) {
      const asOfS = AS_OF_S + day * DAY_S;
      await store.putBoardRatings(day + 1, [storedRating({ wallet, asOfS })]);
      await store.publish(sampleBoard({ run: day + 1, asOfS }));
    }
    const clock = new ManualClock((AS_OF_S + 401 * DAY_S + 1) * 1e3);
    const trimmer = startTrimmer(oldVerdicts(store), { clock, timers, onError: nothing });
    timers.advance(PAUSE_MS);
    while (timers.waiting === 0) await turn();
    trimmer.stop();
    expect((await store.history(wallet, 10)).map(({ asOfS }) => (asOfS - AS_OF_S) / DAY_S)).to.deep.equal([2]);
    expect(trimmer.removed()).to.equal(2);
    await fixture.remove();
  });

  it('looks while it is the turn of its process, and at no other time', async () => {
    let isOurs = false;
    let looks = 0;
    const sweepAnswers = async () => {
      looks++;
      return { removed: 1, next: null };
    };
    const deps = { ...bench, timers, onError: nothing, isLeader: async () => isOurs };
    const trimmer = startTrimmer(expiredAnswers({ sweepAnswers }), deps);
    for (const [ours, seen] of [
      [false, 0],
      [true, 1],
    ] as const) {
      isOurs = ours;
      timers.advance(PAUSE_MS);
      while (timers.waiting === 0) await turn();
      expect([looks, trimmer.removed()]).to.deep.equal([seen, seen]);
    }
    trimmer.stop();
  });

  it('pauses only when a look has left nothing, or has been followed by many', async () => {
    let looks = 0;
    let fullLooks = 3;
    const sweepAnswers = async (_: number, __: unknown, limit: number) => ({
      removed: ++looks <= fullLooks ? limit : 7,
      next: null,
    });
    const trimmer = startTrimmer(expiredAnswers({ sweepAnswers }), { ...bench, timers, onError: nothing });
    const looksOfRound = async () => {
      looks = 0;
      timers.advance(PAUSE_MS);
      while (timers.waiting === 0) await turn();
      return looks;
    };
    expect(await looksOfRound()).to.equal(4);
    fullLooks = Number.POSITIVE_INFINITY;
    expect(await looksOfRound()).to.equal(20);
    trimmer.stop();
  });

  it('reports what went wrong and goes on, until it is stopped', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const trimmer = startTrimmer(expiredAnswers(bench.store), { ...bench, timers, onError });
    await bench.store.close();
    for (const failures of [1, 2]) {
      timers.advance(PAUSE_MS);
      while (timers.waiting === 0) await turn();
      expect(errors).to.have.length(failures);
    }
    trimmer.stop();
    timers.advance(PAUSE_MS);
    await turn();
    expect([errors.length, timers.waiting]).to.deep.equal([2, 0]);
  });
});
