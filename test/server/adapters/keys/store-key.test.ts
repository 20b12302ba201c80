import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createStoreKey, openKeyFile, openStoreKey } from '#adapters/keys/store-key';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { creditsPath, openCredits, openStore, storeKeyPath } from '#compose/credits';
import { renewStoreKey } from '#compose/renew-store-key';
import { OutsideError } from '#domain/errors';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const run = promisify(execFile);
const PROCESSES = 4;

describe('the key of a store', () => {
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = tempFolder('key');
    path = join(dir, 'made', 'store.key');
  });
  it('is made once, kept for its owner alone, and the same ever after', () => {
    const made = openStoreKey(path, null);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(dir, 'made'))).to.deep.equal(['store.key']);
    expect(openStoreKey(path, made.id).mac('pack token', 'x')).to.deep.equal(made.mac('pack token', 'x'));
  });

  it('is one key for processes that begin at once', async function () {
    this.timeout(PROCESS_TEST_MS);
    const script = `import { openKeyFile } from '${join(ROOT, 'dist/src/server/adapters/keys/store-key.js')}';
      while (Date.now() < Number(process.argv[1]));
      console.log(Buffer.from(openKeyFile(process.argv[2])).toString('hex'));`;
    const startAt = String(Date.now() + 2_000);
    const begin = () => run(process.execPath, ['--input-type=module', '-e', script, startAt, path]);
    const made = await Promise.all(Array.from({ length: PROCESSES }, begin));
    expect(new Set(made.map(({ stdout }) => stdout.trim()))).to.deep.equal(
      new Set([readFileSync(path, 'utf8').trim()]),
    );
    expect(readdirSync(join(dir, 'made'))).to.deep.equal(['store.key']);
  });

  it('is refused where its file holds none', () => {
    openKeyFile(path);
    writeFileSync(path, 'abc\n');
    expect(() => openStoreKey(path, null)).to.throw(OutsideError, /holds no key .* restore it from a backup/);
  });

  it('has another one for each purpose, and tells nothing of itself by its name', () => {
    const key = createStoreKey(new Uint8Array(32).fill(1));
    expect(key.mac('pack token', 'x')).to.not.deep.equal(key.mac('promo code', 'x'));
    expect(key.id).to.match(/^[0-9a-f]{16}$/);
    expect(createStoreKey(new Uint8Array(32).fill(2)).id).to.not.equal(key.id);
  });

  it('reads what it sealed, and nothing that was sealed otherwise or changed', () => {
    const key = createStoreKey(new Uint8Array(32).fill(1));
    const sealed = key.seal('promo code', 'SPRING');
    expect(key.unseal('promo code', sealed)).to.equal('SPRING');
    expect(key.seal('promo code', 'SPRING')).to.not.equal(sealed);
    expect(key.unseal('pack token', sealed)).to.equal(null);
    expect(createStoreKey(new Uint8Array(32).fill(2)).unseal('promo code', sealed)).to.equal(null);
    expect(key.unseal('promo code', `${sealed.slice(0, -2)}AA`)).to.equal(null);
    expect(key.unseal('promo code', 'short')).to.equal(null);
  });

  it('is not made by who only looks at a store that was written without one', async () => {
    await openLmdbStore({ path: creditsPath(dir) }).close();
    const location = { dataDir: dir, keysDir: dir, storeUrl: null };
    for (const use of ['look', 'look', 'change'] as const) {
      const { store } = await openStore(location, use);
      await store.close();
      expect(existsSync(storeKeyPath(dir)), use).to.equal(use === 'change');
    }
  });

  describe('that the store was written with', () => {
    beforeEach(async () => {
      const { store } = openCredits(dir);
      await store.close();
    });

    it('is asked for: without it nothing opens, and no other is made in its place', () => {
      rmSync(storeKeyPath(dir));
      expect(() => openCredits(dir)).to.throw(
        OutsideError,
        /store\.key is not there: if the keys are elsewhere, give KEYS_DIR or --keys-dir; else restore it .* store-key renew/,
      );
      expect(existsSync(storeKeyPath(dir))).to.equal(false);
    });

    it('is not another one', () => {
      chmodSync(storeKeyPath(dir), 0o600);
      writeFileSync(storeKeyPath(dir), `${'ab'.repeat(32)}\n`);
      expect(() => openCredits(dir)).to.throw(OutsideError, /has another key/);
    });

    it('is named where a renewal that was ended half way has set it aside', () => {
      const aside = `${storeKeyPath(dir)}.9.old`;
      renameSync(storeKeyPath(dir), aside);
      writeFileSync(`${storeKeyPath(dir)}.1.old`, 'no key');
      expect(() => openCredits(dir)).to.throw(OutsideError, `store.key is not there: move ${aside} to its place`);
      writeFileSync(storeKeyPath(dir), `${'ab'.repeat(32)}\n`);
      expect(() => openCredits(dir)).to.throw(OutsideError, `move ${aside} to its place`);
    });

    it('can be renewed, and the one that is there is set aside', async () => {
      const leaked = readFileSync(storeKeyPath(dir), 'utf8');
      const { setAside } = await renewStoreKey({ dataDir: dir, keysDir: dir, storeUrl: null }, false);
      expect(readFileSync(setAside!, 'utf8')).to.equal(leaked);
      const opened = openCredits(dir);
      expect(readFileSync(storeKeyPath(dir), 'utf8')).to.not.equal(leaked);
      await opened.store.close();
    });

    /** Rejects with the reason, and leaves all files as they are. */
    async function expectRefused(location: { dataDir: string; keysDir: string }, why: RegExp): Promise<void> {
      const filesOf = () =>
        (readdirSync(dir, { recursive: true }) as string[]).filter((name) => /key/.test(name)).sort();
      const before = filesOf();
      const error = await renewStoreKey({ ...location, storeUrl: null }, false).catch((thrown: Error) => thrown);
      expect(error).to.be.an('error').with.property('message').that.matches(why);
      expect(filesOf()).to.deep.equal(before);
    }

    it('is not renewed in a folder that is not that of the service, unless it is lost', async () => {
      const elsewhere = join(dir, 'elsewhere');
      mkdirSync(elsewhere);
      const location = { dataDir: dir, keysDir: elsewhere };
      await expectRefused(location, /store\.key is not there: give the KEYS_DIR of the service/);
      writeFileSync(storeKeyPath(elsewhere), `${'ab'.repeat(32)}\n`);
      await expectRefused(location, /store\.key is not the key of the store: give the KEYS_DIR of the service/);
      await renewStoreKey({ ...location, storeUrl: null }, true);
      const opened = await openStore({ ...location, storeUrl: null });
      await opened.store.close();
    });

    it('is not renewed beside a store that has lost what was in it, which would begin anew', async () => {
      truncateSync(creditsPath(dir));
      await expectRefused({ dataDir: dir, keysDir: dir }, /credits\.lmdb is empty, but .*store\.key of a store is/);
      expect(statSync(creditsPath(dir)).size).to.equal(0);
    });

    it('is not renewed where there is no store', () =>
      expectRefused({ dataDir: join(dir, 'mistyped'), keysDir: dir }, /there is no store at .*mistyped/));

    it('is not renewed beside a service at work', async () => {
      const service = fork(fileURLToPath(new URL('./support/hold-lease.js', import.meta.url)), [dir]);
      try {
        await once(service, 'message');
        await expectRefused({ dataDir: dir, keysDir: dir }, /the service works on .*: stop it, then renew its key/);
      } finally {
        service.kill('SIGKILL');
      }
    });
  });
});
