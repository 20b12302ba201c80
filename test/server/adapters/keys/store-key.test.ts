import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createStoreKey, openKeyFile, openStoreKey } from '#adapters/keys/store-key';
import { openCredits, renewStoreKey, storeKeyPath } from '#compose/credits';
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

    it('can be renewed when it is lost, and one that is there is set aside', async () => {
      const lost = readFileSync(storeKeyPath(dir), 'utf8');
      const { setAside } = await renewStoreKey({ dataDir: dir, keysDir: dir, storeUrl: null });
      expect(readFileSync(setAside!, 'utf8')).to.equal(lost);
      const opened = openCredits(dir);
      expect(readFileSync(storeKeyPath(dir), 'utf8')).to.not.equal(lost);
      await opened.store.close();
    });
  });
});
