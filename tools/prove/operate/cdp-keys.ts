import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { until } from '#test/support/live-verdicts';
import { sectionOf } from '#test/support/operate-page';
import { Customer } from './incidents/customer.js';
import { Cdp, type CdpKeyShown } from './support/cdp.js';
import type { Operated } from './support/operated.js';

const ON_LOOPBACK = fileURLToPath(new URL('./support/cdp-on-loopback.js', import.meta.url));
const COMPONENT = 'api.cdp.coinbase.com';
/** So long a payment is with the facilitator when its service is restarted. */
const SETTLING_MS = 2_000;

/**
 * Does what docs/operate.md says of the keys of a facilitator, with one that asks for them as that
 * of Coinbase does.
 */
export function rotateCdpKeys(operated: () => Operated): void {
  describe('its rotation of keys of CDP', () => {
    const page = sectionOf('Rotation').replaceAll(/\s+/g, ' ');
    let cdp: Cdp;
    let customer: Customer;
    let first: CdpKeyShown;
    let second: CdpKeyShown;

    const use = async ({ id, secret }: CdpKeyShown) => {
      operated().server.fillIn({ CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret });
      await operated().server.run('systemctl restart preflight');
      await until('it is up', () => operated().isUp());
    };
    const isUp = async () => (await operated().status()).components[COMPONENT]!.ok === true;
    const sells = async () => {
      const { answer, text } = await customer.buy();
      expect(answer.status, text).to.equal(200);
    };

    before(async () => {
      cdp = await Cdp.standBefore(operated().local.facts.facilitator!.url);
      customer = await Customer.withPack(operated());
      first = cdp.newKey();
      operated().server.fillIn({ FACILITATOR_URLS: cdp.facilitatorUrl });
      operated().server.alsoSet({ NODE_OPTIONS: `--import=${ON_LOOPBACK}`, CDP_STANDS_AT: cdp.standsAt });
      await use(first);
    });
    after(async () => {
      await operated().money.clear();
      await cdp?.close();
    });

    it('loses no payment and refuses none: not that which is being settled at the restart, nor those after it', async () => {
      await sells();
      expect(page).to.include('Make a second key at the facilitator');
      second = cdp.newKey();
      await operated().money.clear();
      await operated().money.plan({ operation: 'settle', fault: 'ok', delayMs: SETTLING_MS });
      const buying = customer.buy();
      const isSettling = async () =>
        (await operated().money.facilitatorCalls()).some(({ operation }) => operation === 'settle');
      await until('it is with the facilitator', isSettling);
      await use(second);
      const { answer, text } = await buying;
      expect(answer.status, text).to.equal(200);
      expect(page).to.include('look that `preflight_component_up` of the facilitator is 1 and that a payment settles');
      await until('the facilitator is up', isUp);
      await sells();
      expect(page).to.include('and only then end the old one');
      cdp.endKey(first);
      await sells();
      expect(cdp.refused).to.equal(0);
    });

    it('shows what the other order does: nobody is charged, and a repeat is answered when the key is there', async () => {
      const third = cdp.newKey();
      cdp.endKey(second);
      const had = await customer.money();
      const refused = await customer.buy();
      expect(refused.answer.status, refused.text).to.equal(500);
      expect(cdp.refused).to.be.above(0);
      await until('the facilitator is down', async () => !(await isUp()));
      expect(await operated().alerts()).to.include('PreflightFacilitatorDown');
      expect(await customer.money()).to.equal(had);
      await use(third);
      const again = await customer.repeat(refused);
      expect(again.status, JSON.stringify(again.body)).to.equal(200);
      expect(await customer.money()).to.equal(had - 20_000n);
    });
  });
}
