import { expect } from 'chai';
import { until } from '#test/support/live-verdicts';
import type { Operated } from '../support/operated.js';
import { Customer } from './customer.js';
import { incidentPage } from './incident.js';

/** What is left of a server that lost its tape and its ratings. */
const LOSE = `
systemctl stop preflight
rm -rf /var/lib/preflight/tape /var/lib/preflight/ratings.lmdb*
systemctl start preflight`;

/**
 * The service may be at it itself: then the command says that it is to be given again when that is
 * over.
 */
async function followOnceFree({ server }: Operated): Promise<string> {
  let printed = '';
  await until('nobody else rates', async () => {
    printed = await server.follow('Board late', 1).catch((error: Error) => error.message);
    return !printed.includes('another process is rating');
  });
  return printed;
}

export function playBoardLate(operated: () => Operated): void {
  describe('board late', () => {
    const { said } = incidentPage('Board late');
    let customer: Customer;

    before(async () => {
      customer = await Customer.withPack(operated());
      await operated().server.run(LOSE);
      await until('it is up', () => operated().isUp());
    });

    it('is seen by the rule, the metric and the alert that the page names; lists are 500 and free, orders are checked', async () => {
      await operated().untilDegraded(said('ratings_missing'));
      expect(await operated().figure(said('preflight_board_data_through_timestamp_seconds'))).to.equal(0);
      expect(await operated().alerts()).to.include('PreflightBoardLate');
      const had = await customer.balance();
      const list = await customer.get('/api/leaderboard');
      said('without a board they are 500 and free');
      expect([list.status, await customer.balance()]).to.deep.equal([500, had]);
      said('Orders are checked as always');
      expect((await customer.check()).status).to.equal(200);
    });

    it('is looked at by commands that name gaps and broken files', async () => {
      const printed = await operated().server.follow('Board late', 0);
      expect(printed).to.match(/trades|fills/i);
    });

    it('is over when what is missing was fetched and the board made by hand, which the running service puts in force', async () => {
      const pid = operated().server.pid();
      const printed = await followOnceFree(operated());
      expect(printed).to.match(/wallets/);
      await operated().untilDegraded('ratings_missing', false);
      expect(await operated().alerts()).to.not.include('PreflightBoardLate');
      const had = await customer.balance();
      await until('the list is answered', async () => (await customer.get('/api/leaderboard')).status === 200);
      expect(await customer.balance()).to.equal(had - 1);
      expect(operated().server.pid()).to.equal(pid);
    });
  });
}
