import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type GuardReport, guardReport } from '#client/guard/report/guard-report';
import { loggedOrders } from '#client/guard/report/logged-order';
import { freeze } from '#client/guard/state/freeze';
import { fileGuardLog, readGuardLog } from '#client/guard/state/guard-log';
import { guardLogFolder, ordersFolder } from '#client/guard/state/guard-state';
import { runInProcess } from '#test/client/cli/support/test-world';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { GuardWorld } from '../support/guard-world.js';
import { OFFICIAL_CLIENTS, type OfficialOrders } from '../support/official-clients.js';

const VETO_USD = 50_000;

for (const official of OFFICIAL_CLIENTS) {
  describe(`the report of a guard before ${official.name}`, function () {
    this.timeout(PROCESS_TEST_MS);
    let world: GuardWorld;
    let orders: OfficialOrders;
    before(async () => {
      world = await GuardWorld.start();
    });
    after(() => world?.stop());
    beforeEach(async () => world.reset());

    const start = async (given: object) => {
      orders = await world.orders(official, { throwOnError: false, ...given });
    };
    const report = (): GuardReport => guardReport(loggedOrders(readGuardLog(guardLogFolder({ home: world.home }), 0)));
    const groupOf = (found: GuardReport, action: string, rule: string | null = null) =>
      found.groups.find((group) => group.action === action && group.rule === rule);
    const quietly = (work: Promise<unknown>) => work.catch(() => undefined);

    it('has what shadow mode would have stopped and what it cost to let it pass', async () => {
      await start({ mode: 'shadow', perDayUsd: 100 });
      const token = world.token('usual');
      await quietly(orders.buy(token, 50));
      await quietly(orders.buy(token, VETO_USD));
      await quietly(orders.buy(token, 60));
      const found = report();
      expect(found.orders).to.equal(3);
      expect(groupOf(found, 'planned')).to.include({
        mode: 'shadow',
        side: 'BUY',
        kind: 'entry',
        filled: 1,
        asked_usd: 50,
      });
      const veto = groupOf(found, 'refused', 'veto')!;
      expect(veto.orders).to.equal(1);
      expect(veto.filled + veto.rejected).to.equal(1);
      const capped = groupOf(found, 'refused', 'daily_cap')!;
      expect(capped).to.include({ orders: 1, filled: 1 });
      expect(capped.filled_usd).to.be.closeTo(60, 0.01);
      expect(found.stopped_and_filled.within_a_cent).to.be.at.least(1);
    });

    it('has what the guard stopped, planned and let pass, exits apart', async () => {
      await start({ perDayUsd: 1_000 });
      const token = world.token('usual');
      await quietly(orders.buy(token, 50));
      await quietly(orders.buy(token, VETO_USD));
      await quietly(orders.sell(token, 30));
      freeze(ordersFolder(world.home), { atMs: 1, reason: '' });
      await quietly(orders.buy(token, 50));
      const found = report();
      expect(groupOf(found, 'planned')?.filled).to.equal(1);
      expect(groupOf(found, 'refused', 'veto')).to.include({ not_sent: 1, filled: 0 });
      expect(groupOf(found, 'refused', 'frozen')).to.include({ not_sent: 1, filled: 0 });
      expect(found.groups.find(({ kind }) => kind === 'exit')).to.include({ side: 'SELL', filled: 1 });
      expect(found.stopped_and_filled.orders).to.equal(0);
    });

    it('has orders whose outcome is not known as such', async () => {
      await start({ perDayUsd: 1_000 });
      world.door.next({ kind: 'lost_after_match' });
      await quietly(orders.buy(world.token('usual'), 50));
      expect(report().groups).to.have.length(1);
      expect(report().groups[0]).to.include({ unknown: 1, filled: 0, not_sent: 0 });
    });

    it('reads the same from the command line, in 80 columns', async () => {
      await start({ mode: 'shadow', perDayUsd: 10 });
      await quietly(orders.buy(world.token('usual'), 50));
      const run = (...args: readonly string[]) =>
        runInProcess(['guard', 'report', ...args], { env: { PREFLIGHT_HOME: world.home } });
      expect(JSON.parse((await run('--json')).stdout)).to.deep.equal(JSON.parse(JSON.stringify(report())));
      const { stdout } = await run('--days', '1');
      expect(stdout)
        .to.match(/^1 orders in 1 day\n/)
        .and.match(/would be daily cap BUY entry +1 +1 /);
      for (const text of stdout.split('\n')) expect(text.length, text).to.be.at.most(80);
      expect((await run('--name', 'another')).stdout).to.match(/The log has none/);
      expect((await run('--name', '../x')).exitCode).to.equal(2);
      expect((await run('--days', '0')).exitCode).to.equal(2);
    });
  });
}

describe('the log of a guard', () => {
  it('loses no line to one before it that was left torn', () => {
    const folder = join(tempFolder('guard-log'), 'log');
    const log = fileGuardLog(folder);
    const line = { v: 1, at_ms: Date.UTC(2026, 6, 14), kind: 'cancel', method: 'cancelAll' } as const;
    log.append(line);
    const [name] = readdirSync(folder);
    appendFileSync(join(folder, name!), '{"v":1,"at_ms":17841');
    for (let n = 0; n < 2; n++) log.append(line);
    expect(readGuardLog(folder, 0)).to.deep.equal([line, line, line]);
    expect(readFileSync(join(folder, name!), 'utf8')).to.not.include('\n\n');
  });
});
