import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { samplePayment } from '#test/contract/support/sample-payment';
import { needAnvil } from '#test/local/support/chain-harness';
import { until } from '#test/support/live-verdicts';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type FailingUpstreams, startFailingUpstreams } from './support/failing-upstreams.js';

const OPEN = 200;
const LOOKS = 4;
const HOUR_S = 3_600;
/** Authorizations whose state is one call. */
const PER_CALL = 100;

describe('payments that stay open', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: FailingUpstreams;

  before(async function () {
    needAnvil(this);
    world = await startFailingUpstreams();
  });
  after(() => world?.stop());

  it(`ask the chain together: once for the newest block, and once for each ${PER_CALL} of ${OPEN}`, async () => {
    const { store } = openCredits(world.service.dataDir);
    await Promise.all(Array.from({ length: OPEN }, (_, n) => leaveOpen(store, n + 1)));
    const inWork = async () => {
      const status = await (await fetch(`${world.service.url}/status.json`)).json();
      return (status as { readonly payments: { readonly in_work: number } }).payments.in_work;
    };
    await until('all are taken over', async () => (await inWork()) === OPEN);
    const questions = () => world.rpcs.flatMap((line) => line.questions);
    const count = (method: string, asked: readonly string[]) => asked.filter((one) => one === method).length;
    // What is taken over is asked about at once and for itself.
    const before = questions().length;
    const since = () => questions().slice(before);
    await until('the chain was looked at some times', () => count('eth_getBlockByNumber', since()) > LOOKS);
    const looks = count('eth_getBlockByNumber', since());
    expect(count('eth_call', since())).to.be.within(1, (looks + 1) * Math.ceil(OPEN / PER_CALL));
    await store.close();
  });

  /** A payment that was sent by a process that is gone, and that the chain shows unused. */
  function leaveOpen(store: ReturnType<typeof openCredits>['store'], n: number): Promise<null> {
    const sample = samplePayment(n);
    const to = world.service.payee.toLowerCase() as typeof sample.demand.payTo;
    const nowMs = Date.now();
    const authorization = {
      ...sample.payment.authorization,
      to,
      validBefore: String(Math.floor(nowMs / 1_000) + HOUR_S),
    };
    const payment = samplePayment(n, {
      owner: 'gone',
      isUnattended: true,
      intentBlock: 0,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      payment: { ...sample.payment, authorization },
      demand: { ...sample.demand, payTo: to },
    });
    return store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
  }
});
