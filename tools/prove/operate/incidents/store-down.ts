import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { lmdbPath } from '#adapters/lmdb/money/store';
import { until } from '#test/support/live-verdicts';
import { ROOT } from '#test/support/source-tree';
import type { Operated } from '../support/operated.js';
import { type Answer, Customer } from './customer.js';
import { incidentPage } from './incident.js';

/**
 * Holds the one place from which the store can be written, as a disk does that never comes back
 * from a write. It is opened as the service opens it: a second lock would exclude nobody.
 */
const HOLD = `
  import { open } from 'lmdb';
  import { openLocked } from '#adapters/lmdb/memory-lock';
  openLocked(process.argv[1], (path) => open({ path }), { readsOnly: false }).transactionSync(() => {
    process.stdout.write('held');
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
const KEY = 'an-order-of-the-outage';

export function playStoreDown(operated: () => Operated): void {
  describe('store down', () => {
    const { said } = incidentPage('Store down');
    let customer: Customer;
    let holder: ChildProcess;
    let signed: Readonly<Record<string, string>>;
    let had: { readonly credits: number; readonly money: bigint };

    before(async () => {
      customer = await Customer.withPack(operated());
      had = { credits: await customer.balance(), money: await customer.money() };
      signed = await customer.signed();
      const path = lmdbPath(operated().server.path('/var/lib/preflight'));
      const args = ['--input-type=module', '-e', HOLD, path];
      holder = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
      const [first] = await Promise.race([once(holder.stdout!, 'data'), once(holder, 'exit')]);
      expect(String(first)).to.equal('held');
    });
    after(() => holder?.kill('SIGKILL'));

    const expectNotNow = ({ status, retryAfter, body }: Answer) => {
      const codes = [said('store_unavailable'), said('settlement_pending')];
      expect([status, codes.includes(String(body.code))], JSON.stringify(body)).to.deep.equal([500, true]);
      expect(Number(retryAfter)).to.be.above(0);
    };

    it('is seen by the rule, /healthz, the metrics and the alerts that the page names', async () => {
      await operated().untilDegraded(said('component_down:store'));
      said('`/healthz` with 500');
      expect((await fetch(`${operated().url}/healthz`)).status).to.equal(500);
      await until('the lease is lost', async () => (await operated().figure(said('preflight_lease_held'))) === 0);
      expect(await operated().figure(said('preflight_store_oldest_wait_seconds'))).to.be.above(0);
      expect(await operated().alerts()).to.include.members(['PreflightStoreDown', 'PreflightLeaseLost']);
    });

    it('sells nothing: what is paid for is 500 with Retry-After, and every row can still be read', async () => {
      said('with `Retry-After`');
      const [paid, credited] = await Promise.all([customer.pay(signed), customer.checkOnce(KEY)]);
      expectNotNow(paid);
      expectNotNow(credited);
      expect(await customer.money()).to.equal(had.money);
      said('all of them are read, also while the service runs');
      expect(await operated().server.follow('Store down', 0)).to.match(/no fault was found/);
    });

    it('is over after a SIGKILL and a start, and a repeat is charged once and answered', async () => {
      said('end the process with SIGKILL (`systemctl kill -s KILL preflight`)');
      await operated().server.run('systemctl kill -s KILL preflight');
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      await operated().server.run('systemctl start preflight');
      await until('it is up', () => operated().isUp());
      said('Repeat with the same payment or the same Idempotency-Key');
      for (const _ of [1, 2]) {
        expect((await customer.pay(signed)).status).to.equal(200);
        expect((await customer.checkOnce(KEY)).status).to.equal(200);
      }
      expect(await customer.balance()).to.equal(had.credits - 1);
      expect(await customer.money()).to.equal(had.money - 20_000n);
      await operated().untilDegraded('component_down:store', false);
      expect(await operated().alerts()).to.not.include.members(['PreflightStoreDown', 'PreflightLeaseLost']);
    });
  });
}
