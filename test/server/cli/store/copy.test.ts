import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import { addStoreCommands } from '#cli/store/store';
import { openCredits, openStore } from '#compose/credits';
import { migrateTables } from '#compose/postgres';
import { openRatings, openRatingsOf } from '#compose/ratings';
import { copyToDatabase } from '#compose/store-copy';
import { LEASE_MS } from '#ports/leases';
import type { Store } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { fillSoundStore, moveCredits, write } from '#test/server/services/integrity/sound-store';
import { postgresServer, query } from '#test/support/postgres';
import { rejectionOf } from '#test/support/promises';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { scoreDay } from '#test/support/sample-scores';
import { SHORT_LIVED } from '#test/support/short-lived';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runCommandHere } from '../support/run-here.js';

const MAIN = fileURLToPath(new URL('../../../../src/server/cli/main.js', import.meta.url));
/** More entries than fit into two pages. */
const ROUNDS = 600;
const A = walletNumber(1);

/** Makes a data directory with rows of every kind, and closes it. */
async function fillDataDir(dataDir: string): Promise<void> {
  const { store } = openCredits(dataDir);
  await Promise.all([fillSoundStore(store), moveCredits(store, walletNumber(40), ROUNDS)]);
  const answer = { wallet: A, code: null, fingerprint: 'f', body: '{"ü":"–"}', expiresAtMs: 4_000_000_000_000 };
  await write(store, { answer: { ...answer, key: 'alive' } });
  await store.close();
  const { store: ratings } = openRatings(dataDir);
  for (const run of [1, 2]) {
    await ratings.putBoardRatings(run, [
      storedRating({ wallet: A, asOfS: run * 86_400 }),
      storedRating({ asOfS: run }),
    ]);
    const walletsByVerdict = { COPY: 2, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
    const board = sampleBoard({ run, walletsSeen: 2, walletsByVerdict, leaderboard: [A] });
    await ratings.publish(board, undefined, followedBoard({ run, asOfS: run * 86_400, wallets: [A] }));
  }
  await ratings.putDemandRating(storedRating({ wallet: walletNumber(9) }));
  await ratings.putRunReport({ startedAtMs: 1, endedAtMs: 2, error: null });
  await ratings.putProfileMeanMs(1_234);
  const row = { wallet: walletNumber(8), state: 'QUEUED' as const, queuedAtMs: 5, attempts: 0, nextAttemptAtMs: 0 };
  await ratings.putWalletRow({ ...row, lastError: null });
  const hold = (await ratings.jobs.claim('scoreboard', 'a'))!;
  for (let n = 10; n < 25; n++) await ratings.scores.put(scoreDay(`2026-11-${n}`, n), hold);
  const night = (await ratings.jobs.claim('night', 'a'))!;
  await ratings.follows.putResult(86_400, followResult(), night);
  await ratings.close();
}

describe('preflightctl store copy', function () {
  this.timeout(PROCESS_TEST_MS);
  const server = postgresServer();
  let dataDir: string;
  let url: string;

  before(async () => {
    dataDir = tempFolder('copy');
    await fillDataDir(dataDir);
  });

  beforeEach(async () => {
    ({ url } = await server.makeSchema());
    await migrateTables(url);
  });

  const copy = (more = '') => runCommandHere(addStoreCommands, `store copy --from ${dataDir} --to ${url}${more}`);
  const location = () => ({ dataDir, keysDir: dataDir, storeUrl: url });

  async function onSource<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const { store } = openCredits(dataDir);
    return work(store).finally(() => store.close());
  }

  async function ask(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  }

  it('copies every kind of row, says so for both sides, and names the files that go with them', async () => {
    const { exitCode, stdout, stderr } = await copy();
    expect(exitCode, stderr).to.equal(0);
    expect(stdout)
      .to.match(/^COPIED +ROWS +HASH\npromos +2 +[0-9a-f]{16}\n/)
      .and.match(/\nanswers +1 /);
    expect(stdout).to.match(/:\*\*\*@.*: all of it is there, the same on both sides, and adds up\n/);
    expect(stdout).to.match(/give each replica \S+\/store\.key and \S+\/evidence-keys\n$/);
    expect(stdout).to.not.include(new URL(url).password);

    const { store } = await openStore(location());
    const { store: ratings } = await openRatingsOf(location());
    try {
      const wanted = await onSource(async (source) => ({
        account: await source.account(A),
        entries: (await source.entries(null, 5_000)).items,
        tokens: await source.tokens(A),
      }));
      expect(await store.account(A)).to.deep.equal(wanted.account);
      expect((await store.entries(null, 5_000)).items).to.deep.equal(wanted.entries);
      expect(await store.tokens(A)).to.deep.equal(wanted.tokens);
      expect(await store.payment(samplePayment(2).key)).to.deep.equal({ ...samplePayment(2), owner: null });
      const open = await store.openPaymentsFor('anybody', null, 10);
      expect(
        open.items.map(({ owner }) => owner),
        'the first replica takes them over',
      ).to.deep.equal([null, null, null]);
      expect(await ratings.history(A, 10)).to.have.length(2);
      expect((await ratings.board())?.run).to.equal(2);
      expect([await ratings.runReport(), await ratings.profileMeanMs()]).to.deep.equal([
        { startedAtMs: 1, endedAtMs: 2, error: null },
        1_234,
      ]);
      // It is a store that can be worked on: the next entry, and the next run.
      await moveCredits(store, A, 1);
      await ratings.putBoardRatings(3, [storedRating({ wallet: A })]);
    } finally {
      await Promise.all([store.close(), ratings.close()]);
    }
    const again = await copy();
    expect([again.exitCode, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.match(
      /^error: postgres:.*:\*\*\*@.*: it is not empty \(account, .*\): give an empty database\n$/,
    );
  });

  it('goes on after kill -9, and lets no service work on half of it', async () => {
    const holding = new pg.Client({ connectionString: url });
    await holding.connect();
    // It can look whether there are payments, and waits when it writes some.
    await holding.query('BEGIN');
    await holding.query('LOCK TABLE payment IN SHARE MODE');
    const child = spawn(process.execPath, [...SHORT_LIVED, MAIN, 'store', 'copy', '--from', dataDir], {
      env: { ...process.env, STORE_URL: url },
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    while (
      !(await ask("SELECT value FROM meta WHERE name = 'copying'")).some(({ value }) => /"answers"/.test(`${value}`))
    ) {
      await sleep(20);
    }
    child.kill('SIGKILL');
    expect(await exited).to.deep.equal([null, 'SIGKILL']);
    await holding.query('ROLLBACK');
    await holding.end();
    const refused = await openStore(location()).catch((error: Error) => error.message);
    expect(refused).to.match(/a copy into it was not finished: run `preflightctl store copy` again/);

    const kinds: string[] = [];
    await copyToDatabase({
      dataDir,
      keysDir: dataDir,
      url,
      onProgress: (doing, kind) => kinds.push(`${doing} ${kind}`),
    });
    expect(kinds).to.include('copying payments').and.not.include('copying entries');
    const { store } = await openStore(location());
    await store.close();
  });

  it('goes on in the middle of one kind of rows', async () => {
    const stop = new Error('the power went');
    const dying = copyToDatabase({
      ...{ dataDir, keysDir: dataDir, url },
      onProgress: (doing, kind, rows) => {
        if (doing === 'copying' && kind === 'entries' && rows >= 2_000) throw stop;
      },
    });
    expect(await dying.catch((error: unknown) => error)).to.equal(stop);
    const [{ count } = { count: 0 }] = await ask('SELECT count(*)::int AS count FROM ledger');
    expect(count).to.equal(2_000);
    const { exitCode, stderr } = await copy();
    expect(exitCode, stderr).to.equal(0);
  });

  it('refuses a store that is in use, or that somebody wrote meanwhile', async () => {
    const { store } = openCredits(dataDir);
    try {
      await store.leases.hold('service', 1);
      const { exitCode, stderr } = await copy();
      expect([exitCode, stderr]).to.deep.equal([
        1,
        `error: store: the service works on ${dataDir} (process ${process.pid}): stop it, then copy\n`,
      ]);
      await store.leases.end('service');
      const promo = (await store.promo('SPRING'))!;
      let writing: Promise<unknown> | null = null;
      const onProgress = (doing: string, kind: string) => {
        if (doing === 'copying' && kind === 'payments') writing ??= write(store, { promo: { ...promo, credits: 77 } });
      };
      const failed = await rejectionOf(copyToDatabase({ dataDir, keysDir: dataDir, url, onProgress }));
      await writing;
      expect(String(failed)).to.match(
        /both sides do not have the same promos: the store to copy was written meanwhile; stop/,
      );
      expect(await ask("SELECT 1 FROM meta WHERE name = 'copying'"), 'the mark stays').to.have.length(1);
      await write(store, { promo });
    } finally {
      await store.close();
    }
  });

  it('refuses a store with a fault, and one of which no copy was begun', async () => {
    await onSource(async (store) => {
      const promo = (await store.promo('SPRING'))!;
      await write(store, { promo: { ...promo, redeemed: 9 } });
      try {
        const { exitCode, stderr } = await copy();
        expect(exitCode).to.equal(1);
        expect(stderr).to.match(
          /^error: the store to copy has 1 fault \(promo SPRING: it says 9 .*\): see preflightctl store check\n$/,
        );
      } finally {
        await write(store, { promo });
      }
    });
    await query(
      url,
      `INSERT INTO meta VALUES ('copying', '{"source":"/another","done":[],"from":null,"startedAtMs":1}')`,
    );
    expect((await copy()).stderr).to.match(
      /: a copy of \/another into it was not finished: go on with that one, or give/,
    );
  });

  it('refuses a database without tables, one at which a service is at work, and one of another key', async () => {
    await query(url, `INSERT INTO replica VALUES ('r', 1, clock_timestamp() + interval '${LEASE_MS} ms')`);
    expect((await copy()).stderr).to.match(/: a service is at work on it: stop it\n$/);
    await query(url, 'DELETE FROM replica');
    await query(url, "INSERT INTO meta VALUES ('store-key', 'other')");
    expect((await copy()).stderr).to.match(/: it is bound to another store\.key \(other\) than the store to copy/);
    ({ url } = await server.makeSchema());
    const bare = await copy();
    expect([bare.exitCode, bare.stdout]).to.deep.equal([1, '']);
    expect(bare.stderr).to.match(/: it has no tables yet: run `preflightctl store migrate`\n$/);
    const none = await runCommandHere(addStoreCommands, `store copy --from ${dataDir}/none --to ${url}`);
    expect([none.exitCode, none.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && /^error: there is no store at .*: correct --from\n$/.test(text),
    );
  });
});
