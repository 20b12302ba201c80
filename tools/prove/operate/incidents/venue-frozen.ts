import { expect } from 'chai';
import type { Operated } from '../support/operated.js';
import { Customer } from './customer.js';
import { incidentPage } from './incident.js';

/** Neither sockets nor REST answer anything. */
const FROZEN = { blackholeSockets: true, restHang: { clob: true, gamma: true } };

export function playVenueFrozen(operated: () => Operated): void {
  describe('venue frozen', () => {
    const { said } = incidentPage('Venue frozen');
    let customer: Customer;
    let pid: number;

    before(async () => {
      customer = await Customer.withPack(operated());
      pid = operated().server.pid();
      expect((await customer.check()).status).to.equal(200);
      await operated().venueDoes(FROZEN);
    });
    after(() => operated().venueDoes({ clear: true }));

    it('is seen by the rules, the components, the sockets, the log and the alert that the page names', async () => {
      await operated().untilDegraded(said('books_stale'));
      const { components, degraded_by: rules } = await operated().status();
      expect(rules).to.include.members([
        `component_down:${said('market-channel')}`,
        `component_down:${said('clob-books')}`,
      ]);
      const errors = [said('gave no answer within'), said('failed too often in a row')];
      const { error } = components['clob-books']!;
      expect(error).to.satisfy((text: string) => errors.some((one) => text.includes(one)), String(error));
      expect(components['market-channel']!.error).to.match(/^\d+ of \d+ sockets bring no data/);
      expect(await operated().metrics()).to.match(
        new RegExp(`^${said('preflight_market_sockets')}{state="live"} 0$`, 'm'),
      );
      expect(operated().log()).to.include(said('book not re-confirmed')).and.to.include(said('feed state'));
      expect(await operated().alerts()).to.include('PreflightVenueFrozen');
    });

    it('answers what customers are told: VETO with the age of the book is charged, what cannot be looked up is free', async () => {
      const had = await customer.balance();
      const stale = await customer.check();
      expect([stale.status, stale.body.verdict]).to.deep.equal([200, 'VETO']);
      expect(JSON.stringify(stale.body)).to.include(said('book was last confirmed'));
      expect(await customer.balance()).to.equal(had - 1);
      const unknown = await customer.check('slug=a-market-that-nobody-has-asked-for&usd=25');
      expect([unknown.status, unknown.body.code]).to.deep.equal([500, said('venue_unavailable')]);
      expect(await customer.balance()).to.equal(had - 1);
    });

    it('is told by a --check, which asks all of it anew', async () => {
      said('asks all of them again');
      const printed = await operated()
        .server.follow('On a server', 2)
        .catch((error: Error) => error.message);
      expect(printed)
        .to.match(/^gamma +FAULT/m)
        .and.to.match(/^clob-books +FAULT/m)
        .and.to.match(/are not well/);
    });

    it('is over some seconds after the venue is well, without a restart', async () => {
      said('all of it is well again some seconds after the venue is');
      await operated().venueDoes({ clear: true });
      await operated().untilDegraded('books_stale', false);
      for (const component of ['market-channel', 'clob-books']) {
        await operated().untilDegraded(`component_down:${component}`, false);
      }
      expect(JSON.stringify((await customer.check()).body)).to.not.include('book was last confirmed');
      expect(await operated().alerts()).to.not.include('PreflightVenueFrozen');
      expect(operated().server.pid()).to.equal(pid);
    });
  });
}
