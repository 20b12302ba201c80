import { expect } from 'chai';
import { until } from '#test/support/live-verdicts';
import type { Bought, Call } from '#test/support/paying-clients';
import type { Operated } from '../support/operated.js';
import { Customer } from './customer.js';
import { incidentPage } from './incident.js';

interface ListedPayment {
  readonly proof: string | null;
  readonly wallet: string;
}

/**
 * The chain goes away after a facilitator was sent the payment, and before what it reports can be
 * compared.
 */
const SETTLING_MS = 3_000;
const CALL_MICROS = 20_000n;
const PACK_MICROS = 5_000_000n;

export function playSettlementUnproven(operated: () => Operated): void {
  describe('settlement unproven', () => {
    const { said } = incidentPage('Settlement unproven');
    let customer: Customer;
    let had: bigint;
    let call: Bought;
    let pack: Bought;
    const packCall = (): Call => ({ url: `${operated().url}/api/credits`, init: { method: 'POST' } });

    before(async () => {
      customer = await Customer.withPack(operated());
      had = await customer.money();
    });
    after(() => operated().money.clear());

    const settlements = async () =>
      (await operated().money.facilitatorCalls()).filter(({ operation }) => operation === 'settle').length;
    const proofs = async (): Promise<readonly (string | null)[]> => {
      const command = said('preflightctl admin payments list --state SETTLED --json');
      const printed = await operated().server.run(
        `cd /opt/preflight\nnpx ${command} --data-dir /var/lib/preflight --wallet ${customer.account.address} 2>&-`,
      );
      const { payments } = JSON.parse(printed.slice(printed.indexOf('{'))) as { payments: readonly ListedPayment[] };
      return payments.map(({ proof }) => proof);
    };

    it('answers a call on the word of the facilitator, and lets a pack wait for the chain', async () => {
      await operated().money.clear();
      await operated().money.plan({ operation: 'settle', fault: 'ok', times: 'always', delayMs: SETTLING_MS });
      const buying = Promise.all([customer.buy(), customer.buy(packCall())]);
      await until('both are with the facilitator', async () => (await settlements()) === 2);
      operated().chainLine.cut('reset');
      [call, pack] = await buying;
      await operated().money.clear();
      expect(call.answer.status, call.text).to.equal(200);
      expect([pack.answer.status, JSON.parse(pack.text).code]).to.deep.equal([500, 'settlement_pending']);
      expect(await customer.money()).to.equal(had - CALL_MICROS - PACK_MICROS);
    });

    it('is seen by the component, the metric, the list of payments and the alert that the page names', async () => {
      await operated().untilDegraded(said('component_down:base-rpc'));
      expect(await operated().figure(said('preflight_settlement_unproven_usdc'))).to.equal(0.02);
      expect(await proofs()).to.include(said('unproven'));
      expect(await operated().alerts()).to.include('PreflightChainDown');
    });

    it('sells nothing more by x402, and nobody is charged; credits are spent as always', async () => {
      const left = await customer.money();
      const refused = await customer.buy();
      expect(refused.answer.status, refused.text).to.equal(500);
      expect(await customer.money()).to.equal(left);
      expect((await customer.check()).status).to.equal(200);
    });

    it('is over with another endpoint put first, and a repeat of the pack gets its token for no more money', async () => {
      said('put another endpoint first in `BASE_RPC_URLS`, restart');
      const { rpcUrl } = operated().local.facts;
      operated().server.fillIn({ BASE_RPC_URLS: `${rpcUrl},http://127.0.0.1:${operated().chainLine.port}` });
      await operated().server.run('systemctl restart preflight');
      await until('it is up', () => operated().isUp());
      await until('all is proven', async () => (await operated().figure('preflight_settlement_unproven_usdc')) === 0);
      said('you get the token as soon as it is proven');
      const left = await customer.money();
      const again = await customer.repeat(pack, packCall());
      expect([again.status, typeof again.body.token]).to.deep.equal([200, 'string']);
      expect(await customer.money()).to.equal(left);
      expect(new Set(await proofs())).to.deep.equal(new Set([said('proven')]));
      expect(await operated().alerts()).to.not.include('PreflightChainDown');
    });
  });
}
