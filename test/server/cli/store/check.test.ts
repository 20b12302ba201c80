import { expect } from 'chai';
import { addAdminCommands } from '#cli/admin/admin';
import { addStoreCommands } from '#cli/store/store';
import { openCredits } from '#compose/credits';
import { openRatings } from '#compose/ratings';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { fillSoundStore, write } from '#test/server/services/integrity/sound-store';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { runCommandHere } from '../support/run-here.js';

describe('preflightctl store check', () => {
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let opened: ReturnType<typeof openCredits>;

  before(async () => {
    fixture = await makeLmdbFixture();
    opened = openCredits(fixture.dataDir);
    await fillSoundStore(opened.store);
  });

  after(async () => {
    await opened.store.close();
    await fixture.remove();
  });

  const check = (more = '') => runCommandHere(addStoreCommands, `store check --data-dir ${fixture.dataDir}${more}`);

  it('says what it has looked at, beside an open store, ratings included where there are any', async () => {
    const { exitCode, stdout } = await check();
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^CHECKED +ROWS\npromos +2\n[\s\S]*\npayments +10\n[\s\S]*\n\nno fault was found\n$/);
    const { store: ratings } = openRatings(fixture.dataDir);
    await ratings.putBoardRatings(7, [storedRating()]);
    const walletsByVerdict = { COPY: 1, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
    await ratings.publish(sampleBoard({ walletsSeen: 1, walletsByVerdict, leaderboard: [], redList: [] }));
    await ratings.close();
    const report = JSON.parse((await check(' --json')).stdout);
    expect(report).to.deep.include({ ok: true, sound: true, faults_found: 0, faults: [] });
    expect(report.rows).to.include({ accounts: 3, 'ratings of the board': 1 });
  });

  it('is `preflightctl admin check` as well', async () => {
    const asAdmin = await runCommandHere(addAdminCommands, `admin check --data-dir ${fixture.dataDir} --json`);
    expect(asAdmin).to.deep.equal(await check(' --json'));
    expect(asAdmin.exitCode).to.equal(0);
  });

  it('names what is broken, says what to do and ends with 1', async () => {
    await write(opened.store, { promo: { ...(await opened.store.promo('SPRING'))!, redeemed: 1 } });
    const { exitCode, stdout } = await check();
    expect(exitCode).to.equal(1);
    expect(stdout).to.match(/\npromo SPRING +it says 1 redemptions, and there are 2 +stop the service and restore/);
    expect(stdout).to.match(/\n1 fault was found\n$/);
    const { exitCode: code, stdout: json } = await check(' --json');
    expect(code).to.equal(1);
    expect(JSON.parse(json)).to.deep.include({ sound: false, faults_found: 1 });
  });

  it('refuses a directory without a store', async () => {
    const { exitCode, stderr } = await runCommandHere(addStoreCommands, `store check --data-dir ${fixture.dataDir}/no`);
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/^error: there is no store at .*: give the directory of the service with --data-dir\n$/);
  });
});
