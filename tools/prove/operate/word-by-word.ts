import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { lmdbPath } from '#adapters/lmdb/money/store';
import { rewriteAsEarlier } from '#test/support/earlier-rows';
import { until } from '#test/support/live-verdicts';
import type { LocalMoney } from '#test/support/local-money';
import { type Bought, type Call, PAYING_CLIENTS } from '#test/support/paying-clients';
import type { Account } from '#test/support/signed-payments';
import { signUnsent } from '#test/support/unsent-payment';
import type { Operated } from './support/operated.js';
import type { Server } from './support/server.js';

const [OFFICIAL] = PAYING_CLIENTS;
const WALLET_MICROS = 6_000_000n;

/** Does what docs/operate.md says of a server, and leaves a service that runs on it. */
export function followWordByWord(operated: () => Operated): void {
  describe('followed word by word', () => {
    let money: LocalMoney;
    let server: Server;
    let url: string;
    let account: Account;
    /** What was bought before anything went wrong. */
    let call: Call;
    let bought: Bought;
    let token: string;

    before(async () => {
      ({ money, server, url, call } = operated());
      account = await money.newWallet(WALLET_MICROS);
    });

    const balance = async () => {
      const answer = await fetch(`${url}/api/credits`, { headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { balance: number }).balance;
    };
    const verdictByToken = () => fetch(call.url, { headers: { authorization: `Bearer ${token}` } });

    const isUp = () => operated().isUp();

    /**
     * That every credit and payment is there: the balance, and the bytes of what was paid for, for
     * no more money.
     */
    async function expectAllThere(credits: number): Promise<void> {
      expect(await balance()).to.equal(credits);
      const earned = await money.earned();
      const again = await fetch(call.url, { headers: { [bought.sent.name]: bought.sent.value } });
      expect([again.status, await again.text()]).to.deep.equal([200, bought.text]);
      expect(await money.earned()).to.equal(earned);
    }

    it('brings up the live profile, after a --check that finds everything', async () => {
      server.bringProject('/opt/preflight');
      await server.follow('On a server', 0);
      await server.follow('On a server', 1);
      server.fillIn(operated().settings());
      expect(await server.follow('On a server', 2)).to.match(/^settings +ok +live, .*\n[\s\S]*All is there/);
      expect(await server.follow('On a server', 3)).to.match(/"ok":true/);
    });

    it('asks the venue of its settings whether it is what the service takes it to be', async () => {
      const printed = await server.follow('The first day on the real venue', 0);
      expect(printed).to.match(/^A1 .* yes /m);
    });

    it('sells a call and a pack of credits', async () => {
      bought = await OFFICIAL!.buy(account, call);
      expect(bought.answer.status, bought.text).to.equal(200);
      const pack = await OFFICIAL!.buy(account, { url: `${url}/api/credits`, init: { method: 'POST' } });
      expect(pack.answer.status, pack.text).to.equal(200);
      ({ token } = JSON.parse(pack.text) as { token: string });
      expect((await verdictByToken()).status).to.equal(200);
      await expectAllThere(499);
    });

    it('has it all again after a death and the loss of its disk, from the backup', async () => {
      expect(await server.follow('Backup', 0)).to.match(/holds the backup: .*; every row was checked/);
      process.kill(server.pid(), 'SIGKILL');
      rmSync(lmdbPath(server.path('/var/lib/preflight')), { force: true });
      expect(await server.follow('Restore')).to.match(/is the backup of .*; every row was checked/);
      await until('it is up', isUp);
      await expectAllThere(499);
    });

    it('has it all after an upgrade over rows of an earlier version', async () => {
      await server.run('systemctl stop preflight');
      expect(await rewriteAsEarlier(lmdbPath(server.path('/var/lib/preflight')))).to.be.above(2);
      server.bringProject('/opt/preflight.new');
      const printed = await server.follow('Upgrade and downgrade');
      expect(printed)
        .to.match(/no fault was found/)
        .and.to.match(/All is there/);
      expect(server.backups()).to.have.length(2);
      await until('it is up', isUp);
      await expectAllThere(499);
      expect((await verdictByToken()).status).to.equal(200);
      await expectAllThere(498);
    });

    it('changes payee and keys: what was paid stays paid, and what was signed for the old payee and not sent costs nothing', async () => {
      const signed = await signUnsent(account, call.url);
      // Those of its own text: what is below "Store lost" is for a server without a store.
      for (const block of [0, 1, 2]) await server.follow('Rotation', block);
      await until('it is up', isUp);
      await expectAllThere(498);
      const before = await money.balanceOf(account.address);
      const refused = await fetch(call.url, { headers: signed });
      expect([refused.status, await refused.text()].join(' ')).to.match(/^402 /);
      expect(await money.balanceOf(account.address)).to.equal(before);
      const terms = await (await fetch(call.url)).json();
      expect(terms).to.have.nested.property('accepts[0].payTo').that.matches(/aa$/i);
      const again = await OFFICIAL!.buy(account, call);
      expect(again.answer.status, again.text).to.equal(200);
      const paid = JSON.parse(again.text).paid as { transaction: `0x${string}` };
      const [transfer] = await money.transfersIn(paid.transaction);
      expect(transfer!.to).to.match(/^0x0+aa$/i);
      expect((await verdictByToken()).status).to.equal(200);
      const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: readonly unknown[] };
      expect(keys.length).to.be.above(1);
    });
  });
}
