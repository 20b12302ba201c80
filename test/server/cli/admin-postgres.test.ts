import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { addAdminCommands } from '#cli/admin/admin';
import { addStoreCommands } from '#cli/store/store';
import { openStore } from '#compose/credits';
import { migrateTables } from '#compose/postgres';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { postgresServer } from '#test/support/postgres';
import type { Run } from '#test/support/run-program';
import { tempFolder } from '#test/support/temp-folder';
import { runCommandHere } from './support/run-here.js';

const WALLET = walletNumber(0xabc);

describe('preflightctl admin on a shared store', () => {
  const server = postgresServer();
  let keysDir: string;
  let storeUrl: string;

  before(async () => {
    keysDir = tempFolder('keys');
    storeUrl = (await server.makeSchema()).url;
    await migrateTables(storeUrl);
  });

  const run = (command: string, room = addAdminCommands): Promise<Run> =>
    runCommandHere(room, `${command} --json --store-url ${storeUrl} --keys-dir ${keysDir} --data-dir ${keysDir}/none`);

  async function json(command: string, room = addAdminCommands): Promise<Record<string, unknown>> {
    const { exitCode, stdout, stderr } = await run(command, room);
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout);
  }

  it('does not look at a store that nobody has worked on, and leaves no key', async () => {
    const { exitCode, stderr } = await run('admin promo list');
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/^error: store: postgres:.*:\*\*\*@.* is empty: no service has worked on it yet\n$/);
  });

  it('makes codes, grants, takes and looks up as on a data directory', async () => {
    await json('admin promo create --code spring-26 --credits 50 --wallets 2 --days 10');
    expect(
      await json('admin credits grant --wallet 0x0000000000000000000000000000000000000abc --credits 10'),
    ).to.include({ balance: 10 });
    expect(await json(`admin credits revoke --wallet ${WALLET} --credits 4 --yes`)).to.include({ credits_revoked: 4 });
    expect((await json('admin promo list')).promos).to.have.length(1);
    expect((await json(`admin ledger ${WALLET}`)).entries).to.have.length(2);
    expect(await json(`admin wallet show ${WALLET}`)).to.include({ balance: 6 });
    const { store } = await openStore({ dataDir: keysDir, keysDir, storeUrl });
    const payment = samplePayment(1);
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    await store.close();
    expect((await json('admin payments list --state SETTLING')).found).to.equal(1);
    expect(await json('admin revenue')).to.include({ usdc: '0.00' });
    expect(await json('store check', addStoreCommands)).to.include({ sound: true });
  });

  it('gives the store another key when the first one is lost', async () => {
    const renewed = await json('admin store-key renew');
    expect(renewed.path).to.equal(join(keysDir, 'store.key'));
    expect((await json('admin promo list')).promos).to.have.length(1);
    rmSync(String(renewed.path));
    expect((await run('admin promo list')).stderr).to.match(
      /store\.key is not there: .*KEYS_DIR.*restore it from the backup/,
    );
    expect((await run('admin store-key renew')).stderr).to.match(
      /store\.key is not there: give the KEYS_DIR.*--lost$/m,
    );
    await json('admin store-key renew --lost');
  });

  it('says what is wrong with a database in one sentence, without the password', async () => {
    const wrong = new URL(storeUrl);
    wrong.pathname = '/nowhere';
    const { exitCode, stderr } = await runCommandHere(addAdminCommands, `admin promo list --store-url ${wrong.href}`);
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(
      /^error: store: the database postgres:.*:\*\*\*@[^\n]*: there is no such database: [^\n]*\n$/,
    );
    expect(stderr).to.not.include(wrong.password);
  });
});
