import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { backUp, restore } from '#compose/backup';
import { lastBackupMs } from '#compose/backup-mark';
import { openCredits } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import { openTapeModule } from '#compose/tape';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { rejectionOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';
import { allFills, distinct } from '#test/support/temp-tape';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { tradeNumber } from '#test/support/trade-rows';
import { runPreflight } from './support/run-preflight.js';

/** Returns which files and folders were brought to disk before a path was there, and which after. */
async function flushedDuring(work: () => Promise<unknown>, path: string) {
  const flushed = { before: [] as string[], after: [] as string[] };
  const handle = await open('/dev/null');
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { sync } = handles;
  handles.sync = function (this: FileHandle) {
    flushed[existsSync(path) ? 'after' : 'before'].push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  };
  await work().finally(() => (handles.sync = sync));
  return flushed;
}

/** The hidden name of a folder that is being filled, with the process that does it. */
const MAKING = /^\.\w+\.[0-9a-f]{12}-\d+\.making$/;

const quietly = { withTape: true, onStep: () => undefined };

describe('a backup of a data directory', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let dataDir: string;
  const location = () => ({ dataDir, keysDir: dataDir, ...quietly });

  beforeEach(() => {
    dir = tempFolder('backup');
    dataDir = join(dir, 'data');
  });
  const rejection = async (work: Promise<unknown>) => (await rejectionOf(work)).message;

  it('taken while credits are given is the ledger of one moment, and is a data directory again', async () => {
    const { credits, store } = openCredits(dataDir);
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 1_000, days: 30 });
    const keys = openEvidence(dataDir).list();
    const payment = samplePayment(1, {
      state: 'SETTLED',
      open: false,
      transaction: `0x${'cd'.repeat(32)}`,
      body: '{}',
    });
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    let isOver = false;
    const giving = (async () => {
      for (let n = 1; !isOver; n++) await credits.redeem('SPRING', walletNumber(n));
    })();
    const { check, files } = await backUp(join(dir, 'copy'), location());
    isOver = true;
    await giving;
    await store.close();
    expect(check.faultsFound, JSON.stringify(check.faults)).to.equal(0);
    expect(files.map(({ path }) => path)).to.include.members(['credits.lmdb', 'store.key']);
    expect(readdirSync(join(dir, 'copy')).filter((name) => /lmdb-/.test(name))).to.deep.equal([]);
    expect(statSync(join(dir, 'copy')).mode & 0o077).to.equal(0);

    const back = join(dir, 'back');
    await restore(join(dir, 'copy'), back, quietly);
    const again = openCredits(back);
    try {
      expect(await again.store.payment(payment.key)).to.deep.equal(payment);
      expect((await again.credits.listPromos())[0]!.code).to.equal('SPRING');
      expect((await again.credits.redeem('spring', walletNumber(0xffff))).kind).to.equal('redeemed');
      expect(openEvidence(back).list()).to.deep.equal(keys);
    } finally {
      await again.store.close();
    }
  });

  it('is as old as its ledger: what is given while it is checked is younger, and not in it', async () => {
    const { credits, store } = openCredits(dataDir);
    let given: Promise<unknown> = Promise.resolve();
    const onStep = (step: string) => {
      if (step === 'checking the copy') given = credits.grant(walletNumber(7), 100, 30, 'late');
    };
    const { path, madeAt } = await backUp(join(dir, 'copy'), { ...location(), onStep });
    await given;
    const [late] = await store.ledger(walletNumber(7), 1);
    await store.close();
    expect(late!.atMs).to.be.at.least(Date.parse(madeAt));
    const copied = openCredits(path).store;
    expect(await copied.ledger(walletNumber(7), 1)).to.deep.equal([]);
    await copied.close();
  });

  it('holds the trades, also those that are not sorted yet, unless they are left out', async () => {
    await openCredits(dataDir).store.close();
    const { tape } = await openTapeModule(dataDir);
    const fills = Array.from({ length: 20 }, (_, n) => tradeNumber(n, 1_790_000_000 + n));
    const wallets = [...new Set(fills.map(({ wallet }) => wallet))];
    await tape.addFills('s-1', fills.slice(0, 10));
    await tape.compact(1_790_100_000);
    await tape.addFills('s-2', fills.slice(10));
    await backUp(join(dir, 'copy'), location());
    await backUp(join(dir, 'without'), { ...location(), withTape: false });
    await tape.close();
    expect(existsSync(join(dir, 'without', 'tape'))).to.equal(false);
    await restore(join(dir, 'copy'), join(dir, 'back'), quietly);
    const restored = await openTapeModule(join(dir, 'back'));
    expect(await allFills(restored.tape, wallets)).to.deep.equal(distinct(fills));
    expect(await restored.tape.verify()).to.deep.equal([]);
    await restored.tape.close();
  });

  it('is refused where a file of it is damaged, by the name of the file', async () => {
    await openCredits(dataDir).store.close();
    const [copy, back] = [join(dir, 'copy'), join(dir, 'back')];
    await backUp(copy, location());
    const refusal = () => rejection(restore(copy, back, quietly));
    for (const file of ['store.key', 'credits.lmdb']) {
      const path = join(copy, file);
      const sound = readFileSync(path);
      const damaged = Buffer.from(sound);
      damaged[damaged.length >> 1]! ^= 1;
      writeFileSync(path, damaged);
      expect(await refusal()).to.equal(
        `The backup in ${copy} is damaged: ${path} is not what was backed up: its SHA-256 differs.`,
      );
      writeFileSync(path, sound);
    }
    writeFileSync(join(copy, 'backup.json'), '{');
    expect(await refusal()).to.include(`${join(copy, 'backup.json')} is not JSON`);
    expect(existsSync(back)).to.equal(false);
  });

  it('is refused where it is not whole, and nothing that is there is written over', async () => {
    await openCredits(dataDir).store.close();
    const copy = join(dir, 'copy');
    await backUp(copy, location());
    expect(await rejection(backUp(copy, location()))).to.match(/copy is not empty/);
    expect(await rejection(restore(copy, dataDir, quietly))).to.match(/data is not empty/);
    expect(await rejection(backUp(join(dir, 'other'), { ...location(), dataDir: join(dir, 'none') }))).to.match(
      /no store at/,
    );
    writeFileSync(join(copy, 'store.key'), '');
    const message = await rejection(restore(copy, join(dir, 'back'), quietly));
    expect(message).to.match(/is damaged: \S+store\.key has 0 bytes instead of \d+/);
    await rm(join(copy, 'backup.json'));
    expect(await rejection(restore(copy, join(dir, 'back'), quietly))).to.match(/no whole backup/);
    expect(existsSync(join(dir, 'back'))).to.equal(false);
  });

  it('is refused where its rows contradict each other, also one of before that says nothing of it', async () => {
    const { store } = openCredits(dataDir);
    const payment = samplePayment(1, { state: 'SETTLED', open: false, transaction: null, body: '{}' });
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    await store.close();
    const { path } = await backUp(join(dir, 'copy'), location());
    const { fault, files, ...rest } = JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8'));
    const ofBefore = { ...rest, files: files.map(({ sha256: _, ...file }: { sha256: string }) => file) };
    writeFileSync(join(path, 'backup.json'), JSON.stringify(ofBefore));
    expect(await rejection(restore(path, join(dir, 'back'), quietly))).to.equal(
      `${path} is no backup: ${fault}. Restore an earlier one.`,
    );
    expect(readdirSync(dir).toSorted(), 'nothing is in place').to.deep.equal(['.copy.faulty', 'data']);
  });

  it('and a directory made of it have their names when all that is in them is on disk', async () => {
    await openCredits(dataDir).store.close();
    openEvidence(dataDir).list();
    const [copy, back] = [join(dir, 'copy'), join(dir, 'back')];
    for (const [name, make] of [
      [copy, () => backUp(copy, location())],
      [back, () => restore(copy, back, quietly)],
    ] as const) {
      const flushed = await flushedDuring(make, name);
      const within = readdirSync(name, { recursive: true, encoding: 'utf8' });
      expect(flushed.before.map((path) => basename(path))).to.include.members(within.map((path) => basename(path)));
      expect(flushed.after).to.include(dir);
    }
  });

  it('of a store whose keys are elsewhere is refused without them, before anything is copied', async () => {
    const keysDir = join(dir, 'keys');
    await openCredits(dataDir).store.close();
    mkdirSync(keysDir);
    renameSync(join(dataDir, 'store.key'), join(keysDir, 'store.key'));
    const backups = join(dir, 'backups');
    expect(await rejection(backUp(join(backups, 'monday'), location()))).to.match(
      /^store: \S+data\/store\.key is not there: if the keys are elsewhere, give KEYS_DIR or --keys-dir; /,
    );
    expect([existsSync(backups), existsSync(join(dataDir, 'store.key'))]).to.deep.equal([false, false]);
    const { files } = await backUp(join(backups, 'monday'), { ...location(), keysDir });
    expect(files.map(({ path }) => path)).to.deep.equal(['credits.lmdb', 'store.key']);
  });

  it('gets its name when it is whole: one that failed or was killed half way is nothing to restore', async () => {
    await openCredits(dataDir).store.close();
    const backups = join(dir, 'backups');
    const copy = join(backups, 'monday');
    const fails = { ...location(), onStep: (step: string) => step === 'checking the copy' && expect.fail('full') };
    expect(await rejection(backUp(copy, fails))).to.equal('full');
    expect(readdirSync(backups), 'what failed leaves nothing').to.deep.equal([]);

    let seen: readonly string[] = [];
    const looks = { ...location(), onStep: () => (seen = readdirSync(backups)) };
    await backUp(copy, looks);
    expect(seen.join(), 'what is being made, and stays if the process is killed').to.match(MAKING);
    expect(readdirSync(backups)).to.deep.equal(['monday']);
    await restore(copy, join(dir, 'back'), quietly);
  });

  it('and a directory made of it stay the folders that were there: a mount point has no other name', async () => {
    const { credits, store } = openCredits(dataDir);
    await credits.grant(walletNumber(7), 100, 30, 'backup');
    await store.close();
    const [copy, back] = [join(dir, 'copy'), join(dir, 'back')];
    for (const path of [copy, back]) mkdirSync(join(path, 'lost+found'), { recursive: true });
    const inodes = () => [copy, back].map((path) => statSync(path).ino);
    const before = inodes();
    await backUp(copy, location());
    await restore(copy, back, quietly);
    expect(inodes()).to.deep.equal(before);
    expect(readdirSync(dir).toSorted()).to.deep.equal(['back', 'copy', 'data']);
    expect(readdirSync(copy).toSorted()).to.deep.equal(['backup.json', 'credits.lmdb', 'lost+found', 'store.key']);
    expect(readdirSync(back).toSorted()).to.deep.equal(['credits.lmdb', 'lost+found', 'store.key']);
    expect([copy, back].map((path) => statSync(path).mode & 0o077)).to.deep.equal([0, 0]);
  });

  it('with a fault stays hidden in the folder that was there', async () => {
    const { store } = openCredits(dataDir);
    const payment = samplePayment(1, { state: 'SETTLED', open: false, transaction: null, body: '{}' });
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    await store.close();
    const copy = join(dir, 'copy');
    mkdirSync(copy);
    expect((await backUp(copy, location())).path).to.equal(join(copy, '.copy.faulty'));
    expect([readdirSync(dir).toSorted(), readdirSync(copy)]).to.deep.equal([['copy', 'data'], ['.copy.faulty']]);
  });

  it('tells the service, which may be another user, when it was found well; one with a fault tells it nothing', async () => {
    const { store } = openCredits(dataDir);
    expect(await lastBackupMs(dataDir)).to.equal(null);
    await backUp(join(dir, 'copy'), location());
    const { madeAt } = JSON.parse(readFileSync(join(dir, 'copy', 'backup.json'), 'utf8'));
    expect(await lastBackupMs(dataDir)).to.equal(Date.parse(madeAt));
    expect(statSync(join(dataDir, 'last-backup.json')).mode & 0o777).to.equal(0o644);

    const payment = samplePayment(1, { state: 'SETTLED', open: false, transaction: null, body: '{}' });
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    const { check, path } = await backUp(join(dir, 'tuesday'), location());
    await store.close();
    expect(check.faultsFound).to.be.above(0);
    expect(path).to.equal(join(dir, '.tuesday.faulty'));
    expect(readdirSync(dir).toSorted(), 'no name of a backup').to.deep.equal(['.tuesday.faulty', 'copy', 'data']);
    expect(await lastBackupMs(dataDir)).to.equal(Date.parse(madeAt));
  });

  it('with a fault ends in an error that names fault and path, and is not restored under any name', async () => {
    const { store } = openCredits(dataDir);
    const payment = samplePayment(1, { state: 'SETTLED', open: false, transaction: null, body: '{}' });
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    await store.close();
    const run = (line: string) => runPreflight(['admin', ...line.split(' ')], { env: { DATA_DIR: dataDir } });
    const made = await run(`backup --to ${dir}/monday --json`);
    const faulty = join(dir, '.monday.faulty');
    expect(made.exitCode).to.equal(1);
    expect(JSON.parse(made.stdout)).to.include({ sound: false, path: faulty });
    expect(made.stderr)
      .to.include(`error: ${faulty} is no backup: `)
      .and.to.match(/1 row contradicts another, payment .*: .+/);

    renameSync(faulty, join(dir, 'monday'));
    const back = await run(`restore --from ${dir}/monday --data-dir ${dir}/back`);
    expect([back.exitCode, back.stdout, existsSync(join(dir, 'back'))]).to.deep.equal([2, '', false]);
    expect(back.stderr).to.match(/monday is no backup: .* contradict/);
  });

  for (const [point, left] of [
    ['backup.before', MAKING],
    ['backup.after', /^monday$/],
  ] as const) {
    it(`killed at ${point}: has the name of a backup only when it is whole, and the next one is made`, async () => {
      const { credits, store } = openCredits(dataDir);
      await credits.grant(walletNumber(7), 100, 30, 'backup');
      await store.close();
      const backups = join(dir, 'backups');
      const run = (line: string, env = {}) =>
        runPreflight(['admin', ...line.split(' ')], { env: { DATA_DIR: dataDir, ...env } });
      const killed = await run(`backup --to ${backups}/monday`, { CRASH_AT: point });
      expect([killed.exitCode, killed.stdout], killed.stderr).to.deep.equal([-1, '']);
      expect(readdirSync(backups).join()).to.match(left);
      expect(await lastBackupMs(dataDir)).to.equal(null);
      const next = point === 'backup.before' ? 'monday' : 'tuesday';
      expect((await run(`backup --to ${backups}/${next}`)).exitCode).to.equal(0);
      for (const name of readdirSync(backups)) {
        const { check } = await restore(join(backups, name), join(dir, `back-${name}`), quietly);
        expect(check.faultsFound).to.equal(0);
      }
      expect(await lastBackupMs(dataDir)).to.not.equal(null);
    });
  }

  for (const [point, ofBackup, ofRestore] of [
    ['backup.before#1', [], []],
    ['backup.after#1', ['store.key'], ['store.key']],
    ['backup.before#2', ['store.key'], ['store.key']],
    ['backup.after#2', ['credits.lmdb', 'store.key'], ['credits.lmdb', 'store.key']],
    ['backup.before#3', ['credits.lmdb', 'store.key'], null],
  ] as const) {
    it(`killed at ${point} in a folder that was there: nothing in it looks whole that is not`, async () => {
      await openCredits(dataDir).store.close();
      const [copy, back, sound] = [join(dir, 'copy'), join(dir, 'back'), join(dir, 'sound')];
      await backUp(sound, location());
      for (const path of [copy, back]) mkdirSync(path);
      const run = (line: string, env = {}) =>
        runPreflight(['admin', ...line.split(' ')], { env: { DATA_DIR: dataDir, ...env } });
      const seenIn = (path: string) => readdirSync(path).filter((name) => !MAKING.test(name));

      expect((await run(`backup --to ${copy}`, { CRASH_AT: point })).exitCode).to.equal(-1);
      expect(seenIn(copy).toSorted()).to.deep.equal(ofBackup);
      expect(await rejection(restore(copy, join(dir, 'other'), quietly))).to.match(/no whole backup/);
      const next = await run(`backup --to ${copy}`);
      if (ofBackup.length === 0) expect(next.exitCode, next.stderr).to.equal(0);
      else
        expect(next.stderr).to.match(/copy\/\.copy\.\S+\.making is of a backup or restore that .* move away all that/);

      if (ofRestore === null) return;
      const restoring = `restore --from ${sound} --data-dir ${back}`;
      expect((await run(restoring, { CRASH_AT: point })).exitCode).to.equal(-1);
      expect(seenIn(back).toSorted()).to.deep.equal(ofRestore);
      if (ofRestore.length === 0) expect((await run(restoring)).exitCode).to.equal(0);
      else if (ofRestore.length === 1) expect(() => openCredits(back)).to.throw(/restore the backup/);
      else await openCredits(back).store.close();
    });
  }

  it('is made and used by one command each, which say what they did', async () => {
    const { credits, store } = openCredits(dataDir);
    await credits.grant(walletNumber(7), 100, 30, 'backup');
    const run = (line: string, env = {}) =>
      runPreflight(['admin', ...line.split(' ')], { env: { DATA_DIR: dataDir, ...env } });
    const made = await run(`backup --to ${dir}/copy --json`);
    await store.close();
    expect(made.exitCode, made.stderr).to.equal(0);
    expect(JSON.parse(made.stdout)).to.include({ ok: true, sound: true, faults_found: 0 });
    expect(JSON.parse(readFileSync(join(dir, 'copy', 'backup.json'), 'utf8')).files).to.not.equal(undefined);
    const back = await run(`restore --from ${dir}/copy --data-dir ${dir}/back`);
    expect([back.exitCode, back.stdout]).to.deep.equal([0, back.stdout]);
    expect(back.stdout).to.match(/^.*back is the backup of \d{4}-.*: \d+ files, .* MB; every row was checked\n$/);
    const apart = await run(`restore --from ${dir}/copy --data-dir ${dir}/again --keys-dir ${dir}/keys`);
    expect(apart.stdout).to.match(/again is the backup of .*\nits keys are there too: move them to \S+\/keys\n$/);
    const shared = await run(`backup --to ${dir}/x`, { STORE_URL: 'postgres://u:secret@127.0.0.1:1/x' });
    expect([shared.exitCode, shared.stderr.includes('pg_dump'), shared.stderr.includes('secret')]).to.deep.equal([
      2,
      true,
      false,
    ]);
  });
});
