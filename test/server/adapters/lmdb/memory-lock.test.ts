import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { open } from 'lmdb';
import { closeLocked, openLocked, recordedFolder } from '#adapters/lmdb/memory-lock';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/opening-child'));

/** Another process with the store open. */
interface Opener {
  readonly child: ChildProcess;
  readonly lines: Interface;
  readonly said: string;
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
    const [said] = await once(lines, 'line');
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

  it('stays on disk beside a program that knows no other place, and moves when that has ended', async () => {
    const earlier = open({ path });
    earlier.putSync('meta/schema', 2);
    earlier.get('meta/schema');
    expect(openLocked(path, (at) => at)).to.equal(path);
    await closeLocked(path);
    expect(lstatSync(`${path}-lock`).isFile()).to.equal(true);
    await earlier.close();
    const store = await openHere();
    expect(recordedFolder(path)).to.match(/^\/dev\/shm\/preflight-/);
    await store.close();
  });

  it('stays on disk where there is no memory to be had', async () => {
    expect(openLocked(path, (at) => at, { memory: null })).to.equal(path);
  });

  it('is not opened from another container, whose processes have the same numbers', async function () {
    const container = ['unshare', '--pid', '--fork', '--mount-proc', '--mount'];
    const hidden = [...container, 'sh', '-c', 'mount -t tmpfs tmpfs /dev/shm && exec "$@"', 'sh'];
    try {
      execFileSync(hidden[0]!, [...hidden.slice(1), 'true'], { stdio: 'ignore' });
    } catch {
      return skipLoudly(this, 'containers can be made by root on Linux alone');
    }
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
});
