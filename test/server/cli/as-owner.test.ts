import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import { openRatings } from '#compose/ratings';
import { openTapeModule } from '#compose/tape';
import { commandsOf } from '#test/support/operate-page';
import { runProgram } from '#test/support/run-program';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { tradeNumber } from '#test/support/trade-rows';
import { PREFLIGHT, runPreflight } from './support/run-preflight.js';

const NOBODY = 65_534;
const SECRET = 'only root may read or write this\n';

describe('a command of root on the data directory of another user', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let dataDir: string;
  let secret: string;

  before(function () {
    if (process.getuid?.() !== 0) skipLoudly(this, 'only root can act as another user');
  });
  beforeEach(() => {
    dir = tempFolder('owner');
    chmodSync(dir, 0o755);
    secret = join(dir, 'secret');
    writeFileSync(secret, SECRET, { mode: 0o600 });
  });

  /** A store of nobody's, in a folder whose parent has this mode. */
  async function makeData(parentMode = 0o755): Promise<void> {
    const parent = join(dir, 'parent');
    dataDir = join(parent, 'data');
    await openCredits(dataDir).store.close();
    const { tape } = await openTapeModule(dataDir);
    await tape.addFills('s-1', [tradeNumber(1, 1_790_000_000)]);
    await tape.close();
    openEvidence(dataDir);
    chmodSync(parent, parentMode);
    giveToNobody();
  }

  function giveToNobody(): void {
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    for (const path of [dataDir, ...names.map((name) => join(dataDir, name))]) chownSync(path, NOBODY, NOBODY);
  }

  const backUp = () => runPreflight(['admin', 'backup', '--to', join(dir, 'backup')], { env: { DATA_DIR: dataDir } });

  function putLink(name: string, to = secret): void {
    rmSync(join(dataDir, name), { recursive: true, force: true });
    symlinkSync(to, join(dataDir, name));
  }

  function expectUntouched(): void {
    const { uid, mode } = statSync(secret);
    expect([readFileSync(secret, 'utf8'), uid, mode & 0o777]).to.deep.equal([SECRET, 0, 0o600]);
  }

  it('leaves nothing there that the service could not read, and a backup where root alone may write', async () => {
    await makeData();
    const rotated = await runPreflight(['admin', 'evidence', 'rotate'], { env: { DATA_DIR: dataDir } });
    expect(rotated.exitCode, rotated.stderr).to.equal(0);
    const backup = await backUp();
    expect(backup.exitCode, backup.stderr).to.equal(0);
    const owners = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid]);
    expect(owners.filter(([, uid]) => uid !== NOBODY)).to.deep.equal([]);
    const names = readdirSync(join(dir, 'backup'), { recursive: true, encoding: 'utf8' });
    expect(names).to.include.members(['store.key', 'tape/manifest.json']);
    expect(names.some((name) => name.startsWith('evidence-keys/'))).to.equal(true);
    expect(names.filter((name) => statSync(join(dir, 'backup', name)).uid !== 0)).to.deep.equal([]);
  });

  it('restores into a folder of the service what the service can read', async () => {
    await makeData();
    expect((await backUp()).exitCode).to.equal(0);
    const target = join(dir, 'volume');
    mkdirSync(target);
    chownSync(target, NOBODY, NOBODY);
    const args = ['admin', 'restore', '--from', join(dir, 'backup'), '--data-dir', target];
    const { exitCode, stderr } = await runPreflight(args, { env: {} });
    expect(exitCode, stderr).to.equal(0);
    const names = readdirSync(target, { recursive: true, encoding: 'utf8' });
    expect(names).to.include.members(['credits.lmdb', 'store.key']);
    expect(names.filter((name) => statSync(join(target, name)).uid !== NOBODY)).to.deep.equal([]);
  });

  it('restores by the commands of the page, in place of a broken directory, what the service can read', async () => {
    await makeData();
    const [lib, backups] = [join(dir, 'lib'), join(dir, 'backups')];
    mkdirSync(lib);
    renameSync(dataDir, join(lib, 'preflight'));
    const made = ['admin', 'backup', '--data-dir', join(lib, 'preflight'), '--to', join(backups, 'monday')];
    expect((await runPreflight(made, { env: {} })).exitCode).to.equal(0);
    const [commands = ''] = commandsOf('Restore');
    const placed = commands
      .replaceAll('/var/lib', lib)
      .replaceAll('/var/backups/preflight', backups)
      .replaceAll('/opt/preflight', ROOT)
      .replaceAll('npx preflightctl', `"${process.execPath}" "${PREFLIGHT}"`);
    const { exitCode, stderr } = await runProgram('sh', ['-ec', `systemctl() { :; }\n${placed}`]);
    expect(exitCode, stderr).to.equal(0);
    const names = readdirSync(lib, { recursive: true, encoding: 'utf8' });
    expect(names).to.include.members(['preflight/credits.lmdb', 'preflight/store.key']);
    expect(names.filter((name) => statSync(join(lib, name)).uid !== NOBODY)).to.deep.equal([]);
    expect(statSync(join(lib, 'preflight')).mode & 0o077).to.equal(0);
  });

  it('hangs on no pipe that lies among the keys', async () => {
    await makeData();
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(dataDir, 'evidence-keys', '9.json')]);
    const { exitCode, stderr } = await backUp();
    expect([exitCode, stderr]).to.deep.equal([1, stderr]);
    expect(stderr).to.include('9.json is no file');
  });

  it('says what is to be done where the owner cannot get to its directory', async () => {
    await makeData(0o700);
    const { exitCode, stderr } = await runPreflight(['admin', 'promo', 'list'], { env: { DATA_DIR: dataDir } });
    expect([exitCode, stderr]).to.deep.equal([1, stderr]);
    expect(stderr).to.match(
      /^error: the owner of \S+ cannot get to it .*: useradd --system preflight, and give the unit User=preflight/,
    );
  });

  for (const [where, parentMode] of [
    ['', 0o755],
    [', also where its user cannot get to the directory', 0o700],
  ] as const) {
    it(`writes through no link in the place of the mark of a backup${where}`, async () => {
      await makeData(parentMode);
      putLink('last-backup.json.new');
      const { exitCode, stderr } = await backUp();
      expect(exitCode, stderr).to.equal(0);
      expectUntouched();
      expect(readFileSync(join(dataDir, 'last-backup.json'), 'utf8')).to.include('made_at');
    });

    for (const name of ['credits.lmdb-guard', 'credits.lmdb-guard-lock', 'credits.lmdb-lock']) {
      it(`is refused where ${name} is a link, and says so${where}`, async () => {
        await makeData(parentMode);
        putLink(name);
        const { exitCode, stderr } = await backUp();
        expectUntouched();
        expect(exitCode, stderr).to.equal(1);
        expect(stderr).to.match(new RegExp(`${name} is a link.*: remove it`));
      });
    }

    it(`opens no store that is a link to what root alone may write${where}`, async () => {
      await makeData(parentMode);
      await openRatings(join(dir, 'root')).store.close();
      const before = statSync(join(dir, 'root', 'ratings.lmdb'));
      putLink('ratings.lmdb', join(dir, 'root', 'ratings.lmdb'));
      const exported = await runPreflight(['ratings', 'export'], { env: { DATA_DIR: dataDir } });
      expect([exported.exitCode, (await backUp()).exitCode], exported.stderr).to.deep.equal([1, 1]);
      const { uid, mtimeMs } = statSync(join(dir, 'root', 'ratings.lmdb'));
      expect([uid, mtimeMs]).to.deep.equal([0, before.mtimeMs]);
    });

    for (const name of ['store.key', 'tape/manifest.json', 'tape/progress', 'evidence-keys']) {
      it(`copies nothing that ${name} leads to as a link${where}`, async () => {
        await makeData(parentMode);
        // By its group root may read it, but not its user.
        mkdirSync(join(dir, 'elsewhere'), { mode: 0o750 });
        writeFileSync(join(dir, 'elsewhere', 'secret.json'), SECRET, { mode: 0o640 });
        putLink(name, name.includes('.') ? secret : join(dir, 'elsewhere'));
        const { exitCode, stderr } = await backUp();
        expect(exitCode, stderr).to.equal(1);
        expect(existsSync(join(dir, 'backup'))).to.equal(false);
        expectUntouched();
      });
    }
  }

  it('writes nothing outside the backup, whatever the list of trades names', async () => {
    await makeData();
    writeFileSync(join(dir, 'parent', 'planted'), 'anything', { mode: 0o644 });
    const markets = { file: '../../planted', through: 1, merged: [] };
    const list = { version: 1, sorted: null, absorbed: [], markets, names: null, outdated: [] };
    writeFileSync(join(dataDir, 'tape', 'manifest.json'), JSON.stringify(list));
    giveToNobody();
    const { exitCode, stderr } = await backUp();
    expect([exitCode, existsSync(join(dir, 'planted'))], stderr).to.deep.equal([1, false]);
    expect(stderr).to.include('names a file outside of it: ../../planted');
  });

  it('exports ratings to where root alone may write, and writes through no link on the way', async () => {
    await makeData();
    await openRatings(dataDir).store.close();
    giveToNobody();
    putLink('ratings.lmdb-guard');
    const file = join(dir, 'ratings.csv');
    const { stderr } = await runPreflight(['ratings', 'export', '--out', file], { env: { DATA_DIR: dataDir } });
    expect(stderr).to.match(/ratings.lmdb-guard is a link.*: remove it/);
    expectUntouched();
  });
});
