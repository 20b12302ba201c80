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
      return { removed: 1, isMore: false };
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

  /** Counts the looks of a round of which that many find as much as one may take. */
  async function looksOfRound(fullLooks: number, stopsAfter = Number.POSITIVE_INFINITY): Promise<number> {
    let looks = 0;
    const sweepAnswers = async () => ({ removed: 7, isMore: ++looks <= fullLooks });
    const isLeader = async () => looks < stopsAfter;
    const trimmer = startTrimmer(expiredAnswers({ sweepAnswers }), { ...bench, timers, onError: nothing, isLeader });
    timers.advance(PAUSE_MS);
    while (timers.waiting === 0) await turn();
    expect(trimmer.removed()).to.equal(7 * looks);
    trimmer.stop();
    await turn();
    return looks;
  }

  it('pauses only when a look has left nothing, however many that takes, and while it is its turn', async () => {
    expect(await looksOfRound(0)).to.equal(1);
    expect(await looksOfRound(3)).to.equal(4);
    expect(await looksOfRound(500)).to.equal(501);
    expect(await looksOfRound(500, 40)).to.equal(40);
  });

  it('of answers lets all go in one round that expired while nobody looked, however many others there are', async () => {
    const [old, young] = [300, 1_000];
    await bench.credits.grant(WALLET, old + young, 365, '');
    const keep = (prefix: string, count: number) => {
      const keys = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
      return Promise.all(keys.map((key) => bench.credits.charge(request({ idempotency: { key, fingerprint: 'f' } }))));
    };
    await keep('b', old);
    bench.clock.add(ANSWER_STORED_MS);
    await keep('a', young);
    const trimmer = startTrimmer(expiredAnswers(bench.store), { ...bench, timers, onError: nothing });
    timers.advance(PAUSE_MS);
    while (timers.waiting === 0) await turn();
    trimmer.stop();
    expect(trimmer.removed()).to.equal(old);
    expect((await bench.store.listing.answers(null, 5_000)).items).to.have.length(young);
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
