import { join } from 'node:path';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { addRatingsCommands } from '#cli/ratings/ratings';
import { walletNumber } from '#test/contract/store.contract';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { postgresServer } from '#test/support/postgres';
import type { Run } from '#test/support/run-program';
import { AS_OF_S } from '#test/support/sample-ratings';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runCommandHere } from './support/run-here.js';

const WALLET = walletNumber(1);
const DAY = new Date(AS_OF_S * 1e3).toISOString().slice(0, 10);

describe('preflightctl ratings on a shared store', function () {
  this.timeout(PROCESS_TEST_MS);
  const makeFixture = postgresRatingsFixtures(postgresServer());
  let fixture: PostgresRatingsFixture;
  let dataDir: string;

  before(async () => {
    fixture = await makeFixture();
    dataDir = tempFolder('ratings-pg');
    const tape = await openTape({ dir: join(dataDir, 'tape') });
    const fills = fillsOf(WALLET, 40);
    await tape.addFills('all', fills);
    await tape.addRows(
      'markets',
      fills.map((fill, n) => marketOf(fill, n % 2 === 0)),
    );
    await tape.close();
  });

  const run = (command: string): Promise<Run> =>
    runCommandHere(addRatingsCommands, `ratings ${command} --json --store-url ${fixture.url} --data-dir ${dataDir}`);

  it('puts a board in force for all replicas, unless one of them rates just then', async () => {
    const replica = await fixture.open();
    const hold = (await replica.jobs.claim('night', 'a replica'))!;
    const refused = await run(`run --as-of ${DAY}`);
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('another process is rating');
    await replica.jobs.release(hold);
    const done = await run(`run --as-of ${DAY}`);
    expect(done.exitCode, done.stderr).to.equal(0);
    expect((await replica.board())?.run).to.equal(JSON.parse(done.stdout).run);
    await replica.close();
  });

  it('shows a wallet of it', async () => {
    const shown = await run(`show ${WALLET}`);
    expect(shown.exitCode, shown.stderr).to.equal(0);
    expect(JSON.parse(shown.stdout)).to.deep.include({ source: 'board' });
  });
});
