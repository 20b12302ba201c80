import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import type { StatusReport } from '#api/status';
import { toWallet } from '#domain/ids';
import type { Store } from '#ports/store';
import { needAnvil } from '#test/local/support/chain-harness';
import { PAID_CALLS } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, type Made, Till, TRADE } from './support/till.js';

const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;
/** As long as a client waits that gives up. */
const PATIENCE_MS = 1_500;
const WALLETS = 20;
const POLL_INTERVAL_MS = 100;
const LOOKS_MAX = 300;

/** A real service, a real chain, and a facilitator that says "settled" where nothing is. */
describe('a facilitator that lies', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;
  /** The rows of the service, looked at from outside. */
  let store: Store;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
    // In one process with the service: to open it for writing waits for a transaction of the
    // service, which waits for us.
    store = openLmdbStore({ path: lmdbPath(service.dataDir), readsOnly: true });
  });
  after(async () => {
    await store?.close();
    await service?.stop();
  });
  afterEach(() => service.instead('settle', null));

  /** What it says in place of settling, once or always. */
  function lie(transaction: () => string, timesMax = Number.POSITIVE_INFINITY): void {
    let times = 0;
    service.instead('settle', (body) => {
      if (times++ >= timesMax) return null;
      const { authorization } = JSON.parse(body).paymentPayload.payload;
      return { success: true, transaction: transaction(), network: 'eip155:8453', payer: authorization.from };
    });
  }
  const invented = () => `0x${randomBytes(32).toString('hex')}`;

  async function creditsOf({ payer }: Made): Promise<number> {
    const account = await store.account(toWallet(payer.address));
    return account?.lots.reduce((sum, { remaining }) => sum + remaining, 0) ?? 0;
  }
  const status = async () => (await (await fetch(`${service.url}/status.json`)).json()) as StatusReport;
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await isSo()); looks++) {
      if (looks === LOOKS_MAX)
        throw new Error(`never so: ${isSo}, but ${JSON.stringify((await status()).settlements)}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  it('sells a pack all the same when the transaction is that of another payment: the authorization is sent on', async () => {
    const transaction = expectAnswered(await till.send(TRADE, (await till.pay(TRADE)).v2));
    lie(() => transaction, 1);
    const made = await till.pay(PACK);
    const sent = await till.earning(PACK.priceMicros, () => till.send(PACK, made.v2));
    expect(expectAnswered(sent)).to.not.equal(transaction);
    expect(await creditsOf(made)).to.equal(500);
  });

  it('does not get credits for twenty wallets with one invented transaction', async () => {
    const hash = invented();
    lie(() => hash);
    const made = await Promise.all(Array.from({ length: WALLETS }, () => till.pay(PACK)));
    const { url, init } = PACK.call(service);
    const answered = await Promise.all(
      made.map(({ v2 }) => {
        const headers = { ...init?.headers, 'PAYMENT-SIGNATURE': v2 };
        const signal = AbortSignal.timeout(PATIENCE_MS);
        return fetch(url, { ...init, headers, signal }).then(
          ({ status }) => status,
          () => 'nothing yet',
        );
      }),
    );
    expect(new Set(answered)).to.deep.equal(new Set(['nothing yet']));
    for (const one of made) expect(await creditsOf(one)).to.equal(0);
  });

  it('gets an answer of cents out, and is found out: one transfer is the proof of one payment', async () => {
    const transaction = expectAnswered(await till.send(TRADE, (await till.pay(TRADE)).v2));
    await until(async () => Object.values((await status()).settlements.facilitators).length === 0);
    const lies = [invented, () => transaction];
    for (const hash of lies) {
      lie(hash, 1);
      expectAnswered(await till.send(TRADE, (await till.pay(TRADE)).v2));
    }
    const micros = Number(TRADE.priceMicros) * lies.length;
    await until(async () => ((await status()).settlements.oldest_unproven_seconds ?? 0) > 1);
    const [before] = Object.values<object>((await status()).settlements.facilitators);
    expect(before).to.deep.equal({ unproven_micros: micros, refuted_micros: 0 });
    expect((await status()).degraded_by).to.not.include('settlement_unproven');

    await service.chain.increaseTime(300);
    await service.chain.mine(6);
    await until(async () => (await status()).settlements.oldest_unproven_seconds === null);
    const { settlements, degraded_by } = await status();
    expect(Object.values(settlements.facilitators)).to.deep.equal([{ unproven_micros: 0, refuted_micros: micros }]);
    expect(degraded_by).to.include('settlement_unproven');
  });
});
