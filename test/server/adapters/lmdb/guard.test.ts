import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { open } from 'lmdb';
import { emptyLmdbFile } from '#adapters/lmdb/empty-file';
import { lmdbFileFault } from '#adapters/lmdb/file';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { mountOrSkip } from '#test/support/mounted';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/opening-child'));
const DISK = ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs'];
const PAGE_BYTES = 4_096;
/** Pages that are left on a disk: too few for the guard, for its lock, for the store, and enough. */
const LEFT = { 'one that is there': [0, 1, 3, 4], 'a new store': [0, 1, 3, 4, 5, 6, 7] };

/** What may lie in the place of a file of LMDB's. */
const FAULTY: readonly (readonly [string, (path: string) => void])[] = [
  ['that is empty', (path) => truncateSync(path, 0)],
  ['of which 100 bytes are left', (path) => truncateSync(path, 100)],
  ['of which one page is left', (path) => truncateSync(path, PAGE_BYTES)],
  ['of zeros', (path) => writeFileSync(path, new Uint8Array(2 * PAGE_BYTES))],
  ['of another program', (path) => writeFileSync(path, 'no file of LMDB. '.repeat(1_000))],
];

describe('the guard of an LMDB file', function () {
  this.timeout(PROCESS_TEST_MS);
  let path: string;
  let holder: ChildProcess | null = null;

  beforeEach(async () => {
    path = join(tempFolder('guard'), 'credits.lmdb');
    await openLmdbStore({ path }).close();
  });
  afterEach(async () => {
    if (holder !== null) await letGo(holder);
    holder = null;
  });

  /** Opens and closes the store in a process of its own, which a fault of LMDB's ends. */
  function openElsewhere(): string {
    const { stdout, signal } = spawnSync(process.execPath, [CHILD, path], { input: '', encoding: 'utf8' });
    return signal ?? stdout.trim();
  }

  async function holdElsewhere(): Promise<ChildProcess> {
    holder = spawn(process.execPath, [CHILD, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(createInterface(holder.stdout!), 'line');
    return holder;
  }

  async function letGo(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.stdin!.end();
    await exit;
  }

  for (const [what, spoil] of FAULTY) {
    it(`is made again in place of one ${what}`, () => {
      spoil(`${path}-guard`);
      expect(openElsewhere()).to.equal('opened');
      expect(lmdbFileFault(`${path}-guard`)).to.equal(null);
      expect(openElsewhere()).to.equal('opened');
    });

    it(`is made again in place of one ${what} while a process holds it, which goes on to be seen`, async () => {
      await holdElsewhere();
      spoil(`${path}-guard`);
      expect(openElsewhere()).to.equal('opened');
      // A process that is not seen would have its lock taken from memory by the last that closes.
      expect(openElsewhere()).to.equal('opened');
      const said = once(createInterface(holder!.stdout!), 'line');
      holder!.stdin!.write('a change\n');
      expect(await said).to.deep.equal(['a change']);
    });

    it(`is opened in place of one with a lock file ${what}`, () => {
      spoil(`${path}-guard-lock`);
      expect(openElsewhere()).to.equal('opened');
    });
  }

  it('is refused, with what to do, where a process holds it by a lock file that is broken', async () => {
    await holdElsewhere();
    writeFileSync(`${path}-guard-lock`, 'none', { flag: 'r+' });
    expect(openElsewhere()).to.match(/credits.lmdb-guard-lock is broken, and a process uses it: stop all .* remove it/);
    holder!.kill('SIGKILL');
    await once(holder!, 'exit');
    holder = null;
    expect(openElsewhere()).to.equal('opened');
  });

  describe('on a disk that is full', () => {
    let disk: string;
    let unmount = () => {};

    before(function () {
      disk = tempFolder('disk');
      unmount = mountOrSkip(this, ...DISK, disk);
    });
    after(() => unmount());

    for (const [what, left] of Object.entries(LEFT)) {
      it(`is a sentence, however little room is left, and nothing to mend later: ${what}`, () => {
        const ends = new Set<string>();
        for (const pages of left) {
          path = join(disk, `${pages}`, 'credits.lmdb');
          mkdirSync(dirname(path));
          if (what === 'one that is there') {
            expect(openElsewhere()).to.equal('opened');
            for (const name of [`${path}-guard`, `${path}-guard-lock`]) rmSync(name);
          }
          leave(pages);
          const said = openElsewhere();
          ends.add(said.replaceAll(disk, ''));
          expect(said, `${pages} pages left`).to.match(/^opened$|there is no room on the disk|no space left/i);
          rmSync(join(disk, 'filler'));
          expect(openElsewhere(), `${pages} pages were left`).to.equal('opened');
          rmSync(dirname(path), { recursive: true });
        }
        expect([...ends].some((said) => said.includes('there is no room on the disk for'))).to.equal(true);
        expect(ends).to.include('opened');
      });
    }

    function leave(pages: number): void {
      const filler = join(disk, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, `bs=${PAGE_BYTES}`], { stdio: 'ignore' });
      truncateSync(filler, readFileSync(filler).length - pages * PAGE_BYTES);
    }
  });
});

describe('an LMDB file without rows', () => {
  it('has the bytes that LMDB gives it', async function () {
    const path = join(tempFolder('empty'), 'empty.lmdb');
    await open({ path, safeRestore: true } as object & { path: string }).close();
    const made = readFileSync(path);
    if (made.length !== 2 * PAGE_BYTES) skipLoudly(this, 'LMDB makes pages as large as those of this machine');
    expect(Buffer.from(emptyLmdbFile()).equals(made)).to.equal(true);
  });
});
