import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startAnswerSweeper } from '#services/credits/answer-sweeper';
import { ANSWER_KEPT_MS } from '#services/credits/charges';
import { walletNumber } from '#test/contract/store.contract';
import { type CreditsBench, makeCredits, request } from '../support/credits-home.js';

const WALLET = walletNumber(1);

describe('the sweeper of kept answers', () => {
  let bench: CreditsBench;
  beforeEach(async () => {
    bench = await makeCredits();
    await bench.credits.grant(WALLET, 10, 365, '');
  });
  afterEach(() => bench.remove());

  it('removes expired answers and leaves the others', async () => {
    const keep = (key: string) => bench.credits.charge(request({ idempotency: { key, fingerprint: 'f' } }));
    await keep('old');
    bench.clock.add(ANSWER_KEPT_MS);
    await keep('new');
    const stop = startAnswerSweeper({ store: bench.store, clock: bench.clock }, () => undefined, 1);
    while ((await bench.store.answer(WALLET, 'old')) !== null) await sleep(1);
    stop();
    expect((await bench.store.answer(WALLET, 'new'))?.key).to.equal('new');
  });

  it('tells what went wrong and goes on, until it is stopped', async () => {
    const errors: unknown[] = [];
    const stop = startAnswerSweeper({ store: bench.store, clock: bench.clock }, (error) => errors.push(error), 1);
    await bench.store.close();
    while (errors.length < 2) await sleep(1);
    stop();
    await sleep(5);
    const told = errors.length;
    await sleep(20);
    expect(errors).to.have.length(told);
  });
});
