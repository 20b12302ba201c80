import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ExampleWallet } from '#local/venue/history/example-wallets';
import { needAnvil } from '#test/local/support/chain-harness';
import { PAID_CALLS, type PaidCall, type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { Till } from './support/till.js';

const COPY = PAID_CALLS.find(({ request }) => request === 'preflight_copy')!;
const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;
const COPY_CREDITS = 5;

describe('a wallet that is not rated yet', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
  });
  after(() => service?.stop());

  const walletOf = (role: ExampleWallet['role']) =>
    service.venue.exampleWallets.find((example) => example.role === role)!.address;
  const callFor = (role: ExampleWallet['role']): PaidCall => ({
    ...COPY,
    call: ({ url }) => ({ url: `${url}${COPY.path}?wallet=${walletOf(role)}` }),
  });

  /** Polls as the answers say, and returns all of them; the last one is not a 202. */
  /** As clients do: what is QUEUED, and what a busy machine had no time for, is asked again. */
  async function poll(send: () => Promise<Sent>): Promise<readonly Sent[]> {
    const ask = async () => {
      const sent = await send();
      return sent.status === 500 && sent.headers.has('retry-after') ? send() : sent;
    };
    const answers = [await ask()];
    while (answers.at(-1)!.status === 202) {
      const retryAfterS = Number(answers.at(-1)!.headers.get('retry-after'));
      expect(retryAfterS).to.be.within(1, 3_600);
      expect(JSON.parse(answers.at(-1)!.text)).to.include({ verdict: 'QUEUED', retry_after_seconds: retryAfterS });
      await sleep(Math.min(retryAfterS * 1_000, 500));
      answers.push(await ask());
    }
    return answers;
  }

  it('is queued for free with a payment attached, and the same payment buys the profile later, once', async () => {
    const call = callFor('skilled');
    const made = await till.pay(call);
    const queued = await till.earning(0n, () => till.send(call, made.v2));
    expect(queued.status).to.equal(202);
    expect(queued.headers.get('payment-response')).to.equal(null);
    expect(till.requests('settle', made)).to.equal(0);
    const answers = await till.earning(COPY.priceMicros, () => poll(() => till.send(call, made.v2)));
    expect(JSON.parse(answers.at(-1)!.text)).to.include({ verdict: 'COPY', wallet: walletOf('skilled') });
    const again = await till.earning(0n, () => till.send(call, made.v2));
    expect(again.text).to.equal(answers.at(-1)!.text);
    expect(till.requests('settle', made)).to.equal(1);
  });

  it('is queued for free on the credits lane, and debited once when it is rated', async () => {
    const pack = await till.send(PACK, (await till.pay(PACK)).v2);
    const headers = { authorization: `Bearer ${JSON.parse(pack.text).token}` };
    const balance = async () =>
      JSON.parse((await send({ url: `${service.url}/api/credits` }, headers)).text).balance as number;
    const before = await balance();
    const ask = () => send(callFor('loser').call(service), headers);
    expect((await ask()).status).to.equal(202);
    expect(await balance()).to.equal(before);
    const answers = await poll(ask);
    expect(JSON.parse(answers.at(-1)!.text)).to.include({ verdict: 'VETO' });
    expect(await balance()).to.equal(before - COPY_CREDITS);
  });

  for (const role of ['never-traded', 'small-sample', 'up-down-only'] as const) {
    it(`has no coverage where it is ${role}, and that is free, whatever payment is attached`, async () => {
      const call = callFor(role);
      const made = await till.pay(call);
      const answers = await till.earning(0n, () => poll(() => till.send(call, made.v2)));
      const { status, text } = answers.at(-1)!;
      expect(status, text).to.equal(200);
      expect(JSON.parse(text)).to.include({ verdict: 'NO_COVERAGE' }).and.not.have.property('paid');
      expect(text).not.to.contain('roi_');
      expect(till.requests('settle', made)).to.equal(0);
    });
  }

  it('stays queued while the venue is down, and is never given a made-up verdict', async () => {
    const call = callFor('whale');
    const made = await till.pay(call);
    service.venue.faults.restDown('data');
    try {
      for (let polls = 0; polls < 5; polls++) {
        expect((await till.earning(0n, () => till.send(call, made.v2))).status).to.equal(202);
        await sleep(100);
      }
    } finally {
      service.venue.faults.restDown('data', false);
    }
    const answers = await till.earning(COPY.priceMicros, () => poll(() => till.send(call, made.v2)));
    expect(JSON.parse(answers.at(-1)!.text).verdict).to.be.oneOf(['WATCH', 'VETO']);
  });
});
