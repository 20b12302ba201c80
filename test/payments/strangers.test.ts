import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { garbagePayment, NAMED_PAYERS, STRANGERS_WANT } from '#test/support/strangers';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, Till, TRADE } from './support/till.js';

const EACH = 10;
const HONEST = 4;

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
          const header = garbagePayment(call, service, payer);
          const { status, text } = await send(call.call(service), { 'PAYMENT-SIGNATURE': header });
          return { payer, status, code: JSON.parse(text).code };
        }),
      ),
    );
    const honest = made.map(({ v2 }) => till.send(TRADE, v2));
    for (const answer of await Promise.all(honest)) expectAnswered(answer);
    for (const { payer, status, code } of await Promise.all(garbage)) {
      // Beyond the limits of what is asked about strangers it is not known whether a contract
      // signed.
      const said = status === 402 ? 'payment_refused' : 'payment_unavailable';
      expect([402, 500], payer).to.include(status);
      expect(code, payer).to.equal(said);
    }
    expect(service.runs() - runs, 'nothing was done but for those who paid').to.equal(HONEST);
    const requested = service.facilitator.faults.calls({ operation: 'verify' }).length - calls;
    const contracts = EACH * STRANGERS_WANT.length;
    expect(requested, 'only for contracts the facilitator has to be asked').to.be.at.most(HONEST + 2 * contracts);
    const status = (await (await fetch(`${service.url}/status.json`)).json()) as { wallet_queue: { queued: number } };
    expect(status.wallet_queue.queued).to.equal(0);
  });
});
