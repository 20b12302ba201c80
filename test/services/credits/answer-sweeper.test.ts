import { expect } from 'chai';
import { startAnswerSweeper } from '#services/credits/answer-sweeper';
import { ANSWER_KEPT_MS } from '#services/credits/charges';
import { walletNumber } from '#test/contract/store.contract';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { type CreditsBench, makeCredits, request } from '../support/credits-home.js';

const WALLET = walletNumber(1);
/** Longer than the pause between two sweeps. */
const PAUSE_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the sweeper of kept answers', () => {
  let bench: CreditsBench;
  let timers: ManualTimers;
  beforeEach(async () => {
    timers = new ManualTimers(new ManualClock());
    bench = await makeCredits();
    await bench.credits.grant(WALLET, 10, 365, '');
  });
  afterEach(() => bench.remove());

  it('removes expired answers and leaves the others', async () => {
    const keep = (key: string) => bench.credits.charge(request({ idempotency: { key, fingerprint: 'f' } }));
    await keep('old');
    bench.clock.add(ANSWER_KEPT_MS);
    await keep('new');
    const sweeper = startAnswerSweeper({ ...bench, timers }, () => undefined);
    expect((await bench.store.answer({ wallet: WALLET, code: null, key: 'old' }))?.key).to.equal('old');
    timers.advance(PAUSE_MS);
    while (timers.waiting === 0) await turn();
    sweeper.stop();
    expect(await bench.store.answer({ wallet: WALLET, code: null, key: 'old' })).to.equal(null);
    expect((await bench.store.answer({ wallet: WALLET, code: null, key: 'new' }))?.key).to.equal('new');
  });

  it('pauses only when a look has left nothing, or has been followed by many', async () => {
    let looks = 0;
    let fullLooks = 3;
    const sweepAnswers = async (_: number, __: unknown, limit: number) => ({
      removed: ++looks <= fullLooks ? limit : 7,
      next: null,
    });
    const sweeper = startAnswerSweeper({ store: { sweepAnswers }, clock: bench.clock, timers }, () => undefined);
    const looksOfRound = async () => {
      looks = 0;
      timers.advance(PAUSE_MS);
      while (timers.waiting === 0) await turn();
      return looks;
    };
    expect(await looksOfRound()).to.equal(4);
    fullLooks = Number.POSITIVE_INFINITY;
    expect(await looksOfRound()).to.equal(20);
    sweeper.stop();
  });

  it('reports what went wrong and goes on, until it is stopped', async () => {
    const errors: unknown[] = [];
    const sweeper = startAnswerSweeper({ ...bench, timers }, (error) => errors.push(error));
    await bench.store.close();
    for (const failures of [1, 2]) {
      timers.advance(PAUSE_MS);
      while (timers.waiting === 0) await turn();
      expect(errors).to.have.length(failures);
    }
    sweeper.stop();
    timers.advance(PAUSE_MS);
    await turn();
    expect([errors.length, timers.waiting]).to.deep.equal([2, 0]);
  });
});
