import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { open } from 'lmdb';
import { makeLockFolder, recordedFolder, writeRecord } from '#adapters/lmdb/lock-folder';
import { closeLocked, lockOnDisk, openLocked } from '#adapters/lmdb/memory-lock';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { createCredits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/support/wallet-number';
import { mountOrSkip } from '#test/support/mounted';
import { skipLoudly } from '#test/support/skipped';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/opening-child'));

const NOBODY = 65_534;
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--mount'];
const WALLET = walletNumber(1);
const GRANTS = 30;
/** What an open consists of: a process is killed at each call of these. */
const STEPS = ['mkdir', 'symlink', 'link', 'rename', 'unlink', 'rmdir', 'ftruncate', 'pwrite64'];

/** Another process with the store open. */
interface Opener {
  readonly child: ChildProcess;
  readonly lines: Interface;
  readonly said: string;
}

/** How often a call is in a trace. */
function countOf(call: string, trace: string): number {
  return trace.split('\n').filter((line) => new RegExp(`^\\d+ +${call}\\(`).test(line)).length;
}

/** The folders in memory that a traced process made. */
function foldersIn(trace: string): readonly string[] {
  return [...trace.matchAll(/mkdir\("(\/dev\/shm\/preflight-\w+)"/g)].map(([, folder]) => folder!);
}

function canRun([command, ...args]: readonly string[]): boolean {
  return spawnSync(command!, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}

describe('the lock of an LMDB file', function () {
  this.timeout(PROCESS_TEST_MS);
  let path: string;
  let openers: Opener[] = [];

  before(function () {
    if (!existsSync('/dev/shm')) skipLoudly(this, 'no file system in memory at /dev/shm');
  });
  beforeEach(() => {
    path = join(tempFolder('lock'), 'credits.lmdb');
  });
  afterEach(async () => {
    await Promise.all(openers.map(({ child }) => end(child, 'SIGKILL')));
    openers = [];
  });

  async function openElsewhere(wrap: readonly string[] = []): Promise<Opener> {
    const [command, ...args] = [...wrap, process.execPath, CHILD, path];
    const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout!);
    const [said] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => ['killed'])]);
    const opener = { child, lines, said };
    openers.push(opener);
    return opener;
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals | null): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    if (signal === null) child.stdin!.end();
    else child.kill(signal);
    await exit;
  }

  const openHere = async () => openLmdbStore({ path });

  /** What a program leaves that knows of no lock in memory, and was killed or not. */
  async function openAsEarlier() {
    await (await openHere()).close();
    const earlier = open({ path });
    earlier.get('meta/schema');
    return earlier;
  }

  it('lies in memory while the file is open, and leaves nothing behind when the last process has closed it', async () => {
    const store = await openHere();
    const folder = recordedFolder(path)!;
    expect(statSync(join(folder, 'credits.lmdb')).ino).to.equal(statSync(path).ino);
    expect(existsSync(join(folder, 'credits.lmdb-lock'))).to.equal(true);
    await store.close();
    expect([existsSync(folder), existsSync(`${path}-lock`)]).to.deep.equal([false, false]);
  });

  it('removes no data directory that lies in memory itself', async () => {
    path = join(tempFolder('data', '/dev/shm'), 'credits.lmdb');
    const store = await openHere();
    const other = openLmdbStore({ path: join(dirname(path), 'other.lmdb') });
    const another = openLmdbStore({ path: join(tempFolder('lock'), 'credits.lmdb') });
    expect(existsSync(path)).to.equal(true);
    for (const opened of [store, other, another]) await opened.close();
  });

  it('lets processes change the same rows at once, and lose nothing of each other', async () => {
    const other = await openElsewhere();
    const store = await openHere();
    const credits = createCredits({ store, ...CREDIT_SECRETS, clock: systemClock, random: systemRandom });
    const allRead = new Promise<void>((resolve) => {
      other.lines.on('line', (line) => line === String(GRANTS - 1) && resolve());
    });
    for (let n = 0; n < GRANTS; n++) {
      other.child.stdin!.write(`${n}\n`);
      await credits.grant(WALLET, 1, 30, `here ${n}`);
    }
    await allRead;
    const lots = (await store.account(WALLET))?.lots ?? [];
    expect(lots.reduce((sum, { remaining }) => sum + remaining, 0)).to.equal(2 * GRANTS);
    await end(other.child, null);
    await store.close();
  });

  it('is one for all processes that have the file open', async () => {
    const store = await openHere();
    const folder = recordedFolder(path);
    const other = await openElsewhere();
    expect(other.said).to.equal('opened');
    await store.close();
    expect(recordedFolder(path)).to.equal(folder);
    await end(other.child, null);
    expect(recordedFolder(path)).to.equal(null);
  });

  it('is taken over from a process that was killed, where it is, and made again where it is gone', async () => {
    for (const isGone of [false, true]) {
      const other = await openElsewhere();
      const folder = recordedFolder(path)!;
      await end(other.child, 'SIGKILL');
      if (isGone) rmSync(folder, { recursive: true });
      const store = await openHere();
      expect(recordedFolder(path) === folder).to.equal(!isGone);
      await store.close();
    }
  });

  it('is not opened a second time where it cannot be seen while another process has it', async () => {
    const other = await openElsewhere();
    const folder = recordedFolder(path)!;
    renameSync(folder, `${folder}-hidden`);
    try {
      expect(() => openLmdbStore({ path })).to.throw(/another process works on .* stop that process first/);
    } finally {
      renameSync(`${folder}-hidden`, folder);
    }
    await end(other.child, null);
    await (await openHere()).close();
  });

  it('is not shared with a copy of the folder', async () => {
    const store = await openHere();
    const copied = join(dirname(path), 'copy');
    mkdirSync(copied);
    for (const name of ['credits.lmdb', 'credits.lmdb-lock', 'credits.lmdb-guard', 'credits.lmdb-guard-lock']) {
      cpSync(join(dirname(path), name), join(copied, name), { verbatimSymlinks: true });
    }
    const copy = openLmdbStore({ path: join(copied, 'credits.lmdb') });
    expect(recordedFolder(join(copied, 'credits.lmdb'))).to.not.equal(recordedFolder(path));
    await Promise.all([copy.close(), store.close()]);
  });

  it('is not taken from a folder that another user made', async function () {
    if (process.getuid?.() !== 0) skipLoudly(this, 'only root can give a folder to another user');
    const other = await openElsewhere();
    await end(other.child, 'SIGKILL');
    const former = recordedFolder(path)!;
    chownSync(former, NOBODY, NOBODY);
    const store = await openHere();
    expect(recordedFolder(path)).to.not.equal(former);
    await store.close();
    rmSync(former, { recursive: true });
  });

  it('belongs to the owner of the file, whoever makes it', async function () {
    if (process.getuid?.() !== 0) skipLoudly(this, 'only root makes files of others');
    await (await openHere()).close();
    for (const name of readdirSync(dirname(path))) chownSync(join(dirname(path), name), NOBODY, NOBODY);
    const store = await openHere();
    const folder = recordedFolder(path)!;
    const lock = join(folder, 'credits.lmdb-lock');
    const made = [folder, lock, `${path}-guard`, `${path}-guard-lock`];
    expect(made.map((name) => statSync(name).uid)).to.deep.equal(made.map(() => NOBODY));
    await store.close();
  });

  it('stays on disk beside a program that knows no other place, and moves when that has ended', async () => {
    const earlier = await openAsEarlier();
    expect(openLocked(path, (at) => at)).to.equal(path);
    expect(lockOnDisk(path)).to.match(/lies on disk/);
    await closeLocked(path);
    expect(lstatSync(`${path}-lock`).isFile()).to.equal(true);
    await earlier.close();
    const store = await openHere();
    expect(recordedFolder(path)).to.match(/^\/dev\/shm\/preflight-/);
    expect(lockOnDisk(path)).to.equal(null);
    await store.close();
  });

  it('goes back to disk where a process died before it had looked for a program that knows no other place', async () => {
    const earlier = await openAsEarlier();
    linkSync(`${path}-lock`, `${path}-lock-former`);
    const folder = makeLockFolder(path, '/dev/shm')!;
    writeRecord(path, folder);
    expect(openLocked(path, (at) => at)).to.equal(path);
    await closeLocked(path);
    await earlier.close();
    expect([existsSync(folder), existsSync(`${path}-lock-former`)]).to.deep.equal([false, false]);
  });

  it('stays on disk where there is no memory to be had, no room in it, or only what looks like it', async function () {
    const small = `${path}-memory`;
    const unmount = mountOrSkip(this, '-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', small);
    try {
      for (const memory of [null, dirname(path), small, '/nowhere']) {
        expect(
          openLocked(path, (at) => at, { memory }),
          String(memory),
        ).to.equal(path);
        await closeLocked(path);
      }
      expect(readdirSync(small)).to.deep.equal([]);
    } finally {
      unmount();
    }
  });

  it('is done without by who only reads, where nothing can be written', async function () {
    const store = await openHere();
    const snapshot = join(dirname(path), 'snapshot');
    const unmount = mountOrSkip(this, '--bind', dirname(path), snapshot);
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', snapshot]);
      for (const isOpen of [true, false]) {
        const read = openLmdbStore({ path: join(snapshot, 'credits.lmdb'), readsOnly: true });
        expect(await read.account(WALLET)).to.equal(null);
        await read.close();
        if (isOpen) await store.close();
      }
    } finally {
      unmount();
    }
  });

  for (const [what, prepare] of [
    ['from a lock file on disk', async () => (await openAsEarlier()).close()],
    ['from a lock that is gone', afterRestartOfMachine],
    ['from none', async () => (await openHere()).close()],
  ] as const) {
    it(`is moved into memory ${what}, wherever a process dies on the way`, async function () {
      if (!canRun(['strace', '-qq', '-o', '/dev/null']))
        skipLoudly(this, 'strace kills at a system call, and is not there');
      this.timeout(3 * PROCESS_TEST_MS);
      await prepare();
      const log = join(dirname(path), 'calls');
      const whole = await openElsewhere(['strace', '-f', '-qq', '-o', log, '-e', `trace=${STEPS}`]);
      await end(whole.child, null);
      const counts = STEPS.map((call) => [call, countOf(call, readFileSync(log, 'utf8'))] as const);
      rmSync(log);
      for (const [call, count] of counts) {
        for (let k = 1; k <= count; k++) {
          await prepare();
          const trace = ['-f', '-qq', '-o', log, '-e', `trace=mkdir,${call}`];
          const dead = await openElsewhere(['strace', ...trace, '-e', `inject=${call}:signal=KILL:when=${k}`]);
          await end(dead.child, null);
          const folders = foldersIn(readFileSync(log, 'utf8'));
          rmSync(log);
          const store = await openHere();
          expect(recordedFolder(path), `killed at ${call} ${k}`).to.not.equal(null);
          await store.close();
          const left = readdirSync(dirname(path)).filter((name) => !/^credits\.lmdb(-guard(-lock)?)?$/.test(name));
          expect(left, `killed at ${call} ${k}`).to.deep.equal([]);
          // Of one that was not in use yet, or not any more, some kB stay in memory.
          for (const folder of folders) rmSync(folder, { recursive: true, force: true });
        }
      }
      expect(counts.filter(([, count]) => count > 0).length).to.be.above(3);
    });
  }

  async function afterRestartOfMachine(): Promise<void> {
    await (await openHere()).close();
    writeRecord(path, '/dev/shm/preflight-gone');
  }
  it('is not opened from another container, whose processes have the same numbers', async function () {
    const hidden = [...CONTAINER, 'sh', '-c', 'mount -t tmpfs tmpfs /dev/shm && exec "$@"', 'sh'];
    if (!canRun(hidden)) skipLoudly(this, 'containers can be made by root on Linux alone');
    const first = await openElsewhere(hidden);
    expect(first.said).to.equal('opened');
    for (let times = 0; times < 3; times++) {
      const second = await openElsewhere(hidden);
      expect(second.said).to.match(/another process works on .* stop that process first/);
      await end(second.child, null);
    }
    first.child.stdin!.write('a change\n');
    expect((await once(first.lines, 'line'))[0]).to.equal('a change');
  });

  it('is not opened from a container that sees it, by a process of the same number', async function () {
    if (!canRun(CONTAINER)) skipLoudly(this, 'containers can be made by root on Linux alone');
    const first = await openElsewhere(CONTAINER);
    const second = await openElsewhere(CONTAINER);
    expect([first.said, second.said.replace(/.*(the same number)/, '$1')]).to.deep.equal([
      'opened',
      'the same number (1): let both see the same processes, or stop that process first',
    ]);
    const beside = await openElsewhere();
    expect(beside.said).to.equal('opened');
  });
});
