import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { USDC_ADDRESS } from '#local/chain/usdc';
import { needAnvil } from '#test/local/support/chain-harness';
import { send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { garbagePayment, NAMED_PAYERS, STRANGERS_WANT } from '#test/support/strangers';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, Till, TRADE } from './support/till.js';

const EACH = 10;
const HONEST = 4;

/** Strangers who do not stop, beside those who pay one after the other. */
const CONNECTIONS = 24;
const PAYING = 8;
const PAYING_EVERY_MS = 250;
const QUOTA = 10;
const YES_WALLET = '0x00000000000000000000000000000000000e5000';
/** Returns what EIP-1271 calls a yes, whatever is asked. */
const YES_CODE = '0x631626ba7e60e01b60005260206000f3';

describe('strangers without money beside callers who pay', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
  });
  after(() => service?.stop());

  it('are refused without work, and those who pay are answered meanwhile', async () => {
    const made = await Promise.all(Array.from({ length: HONEST }, () => till.pay(TRADE)));
    const runs = service.runs();
    const calls = service.facilitator.faults.calls({ operation: 'verify' }).length;
    const garbage = STRANGERS_WANT.flatMap((call) =>
      (Object.keys(NAMED_PAYERS) as (keyof typeof NAMED_PAYERS)[]).flatMap((payer) =>
        Array.from({ length: EACH }, async () => {
          const header = garbagePayment(call, service, NAMED_PAYERS[payer]);
          const { status, text } = await send(call.call(service), { 'PAYMENT-SIGNATURE': header });
          return { payer, status, code: JSON.parse(text).code };
        }),
      ),
    );
    const honest = made.map(({ v2 }) => till.send(TRADE, v2));
    for (const answer of await Promise.all(honest)) expectAnswered(answer);
    for (const { payer, status, code } of await Promise.all(garbage)) {
      // Beyond the limits of what is asked about strangers it is not known whether a contract
      // signed, or not looked at.
      const said = { 402: 'payment_refused', 429: 'rate_limited', 500: 'payment_unavailable' }[status];
      expect(code, payer).to.equal(said);
    }
    expect(service.runs() - runs, 'nothing was done but for those who paid').to.equal(HONEST);
    const requested = service.facilitator.faults.calls({ operation: 'verify' }).length - calls;
    expect(requested, 'the facilitator is asked about nobody else').to.equal(HONEST);
    const status = (await (await fetch(`${service.url}/status.json`)).json()) as { wallet_queue: { queued: number } };
    expect(status.wallet_queue.queued).to.equal(0);
    const levels = service.logLines.filter((line) => line.msg === 'answered' && line.status === 500);
    expect(levels, 'what strangers bring about is no warning').to.deep.equal([]);
    const metrics = await (await fetch(service.metricsUrl)).text();
    expect(metrics, 'and no fault').not.to.match(/^preflight_http_faults_total{/m);
  });

  for (const [whose, wallet] of [
    ['the token contract', USDC_ADDRESS],
    ['a wallet that takes every signature for its own', YES_WALLET],
  ] as const) {
    it(`who sign for ${whose} deny nobody a payment at a facilitator that allows ten calls a second`, async () => {
      await service.chain.client.setCode({ address: YES_WALLET, bytecode: YES_CODE });
      const { faults } = service.facilitator;
      let second = { startedMs: 0, calls: 0 };
      const count = async () => {
        if (Date.now() - second.startedMs >= 1_000) second = { startedMs: Date.now(), calls: 0 };
        if (++second.calls <= QUOTA) return;
        faults.plan({ operation: 'verify', fault: 'error-before', status: 429, retryAfterS: 1 });
      };
      const made = await Promise.all(Array.from({ length: PAYING }, () => till.pay(TRADE)));
      service.before('verify', count);
      service.before('settle', count);
      let isOver = false;
      const attack = Array.from({ length: CONNECTIONS }, async () => {
        while (!isOver) {
          const header = garbagePayment(STRANGERS_WANT[0]!, service, () => wallet.toLowerCase());
          await send(STRANGERS_WANT[0]!.call(service), { 'PAYMENT-SIGNATURE': header });
        }
      });
      try {
        for (const { v2 } of made) {
          const first = await till.send(TRADE, v2);
          // The facilitator of this test has the core of the attackers: it may be late, and is not refusing.
          expectAnswered(/no answer within/.test(first.text) ? await till.send(TRADE, v2) : first);
          await sleep(PAYING_EVERY_MS);
        }
      } finally {
        isOver = true;
        await Promise.all(attack);
        service.before('verify', null);
        service.before('settle', null);
        faults.clear();
      }
    });
  }
});
