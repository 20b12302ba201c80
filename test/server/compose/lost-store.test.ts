import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openKeyFile } from '#adapters/keys/store-key';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { addStoreCommands } from '#cli/store/store';
import { creditsPath, openStore, storeKeyPath } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import { walletNumber } from '#test/contract/store.contract';
import { rejectionOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';
import { runCommandHere } from '../cli/support/run-here.js';

const WALLET = walletNumber(1);

describe('a data directory whose store is lost', () => {
  let dataDir: string;
  const location = () => ({ dataDir, keysDir: dataDir, storeUrl: null });
  const init = () => runCommandHere(addStoreCommands, `store init --data-dir ${dataDir}`);

  beforeEach(async () => {
    dataDir = tempFolder('lost');
    const { store, credits } = await openStore(location());
    await credits.grant(WALLET, 100, 30, 'test');
    await store.close();
    openEvidence(dataDir);
  });

  const removeStore = () => rmSync(creditsPath(dataDir));
  const LOSSES: Record<string, { readonly lose: () => void | Promise<void>; readonly says: RegExp }> = {
    'is gone': {
      lose: removeStore,
      says: /credits\.lmdb is not there, .*store\.key .*backup.*preflightctl store init$/,
    },
    'is empty': {
      lose: () => writeFileSync(creditsPath(dataDir), ''),
      says: /credits\.lmdb is empty, .*store\.key .*preflightctl store init$/,
    },
    'is gone with its key': {
      lose() {
        removeStore();
        rmSync(storeKeyPath(dataDir));
      },
      says: /credits\.lmdb is not there, .*evidence-keys .*preflightctl store init$/,
    },
    'is one that nobody has written to': {
      async lose() {
        removeStore();
        const fail = () => {
          throw new Error('not now');
        };
        expect(() => openLmdbStore({ path: lmdbPath(dataDir), begin: fail })).to.throw('not now');
      },
      says: /credits\.lmdb is empty, .*preflightctl store init$/,
    },
    'was written without a key, which is there': {
      async lose() {
        removeStore();
        await openLmdbStore({ path: lmdbPath(dataDir) }).close();
      },
      says: /store\.key .*written without a key: .*KEYS_DIR.*; else restore the store .*store-key renew --lost$/,
    },
  };
  for (const [loss, { lose, says }] of Object.entries(LOSSES)) {
    it(`does not begin anew by itself when the store ${loss}`, async () => {
      await lose();
      const before = readdirSync(dataDir);
      const refusal = await rejectionOf(openStore(location()));
      expect(refusal.message).to.match(says);
      expect(refusal.message).to.not.include('\n');
      expect(readdirSync(dataDir).filter((name) => !name.endsWith('-lock'))).to.deep.equal(
        before.filter((name) => !name.endsWith('-lock')),
      );
    });
  }

  it('begins anew on purpose, with the key that is there, and once', async () => {
    const key = readFileSync(storeKeyPath(dataDir), 'utf8');
    removeStore();
    const made = await init();
    expect([made.exitCode, made.stderr]).to.deep.equal([0, '']);
    expect(made.stdout).to.match(/credits\.lmdb: an empty store, with the key [0-9a-f]{16} of .*store\.key\n$/);
    expect(readFileSync(storeKeyPath(dataDir), 'utf8')).to.equal(key);
    const { store } = await openStore(location());
    expect(await store.account(WALLET)).to.equal(null);
    await store.close();
    const again = await init();
    expect(again.exitCode).to.equal(2);
    expect(again.stderr).to.match(/there is a store at .*credits\.lmdb: move it away first/);
  });

  it('begins anew on purpose where the store is empty, or gone with its key', async () => {
    writeFileSync(creditsPath(dataDir), '');
    expect((await init()).exitCode).to.equal(0);
    removeStore();
    rmSync(storeKeyPath(dataDir));
    expect((await init()).exitCode).to.equal(0);
    expect(statSync(storeKeyPath(dataDir)).mode & 0o777).to.equal(0o600);
    await (await openStore(location())).store.close();
  });

  it('loses nothing to a command that was given the wrong directory', async () => {
    const { exitCode } = await init();
    expect(exitCode).to.equal(2);
    const { store } = await openStore(location());
    expect(await store.account(WALLET)).to.not.equal(null);
    await store.close();
  });
});

describe('a fresh data directory', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(tempFolder('fresh'), 'data');
  });
  const location = () => ({ dataDir, keysDir: dataDir, storeUrl: null });

  it('gets its store and key by the first start', async () => {
    await (await openStore(location())).store.close();
    expect([existsSync(creditsPath(dataDir)), existsSync(storeKeyPath(dataDir))]).to.deep.equal([true, true]);
  });

  it('gets them also when the first start died between the two', async () => {
    const useKey = () => {
      openKeyFile(storeKeyPath(dataDir));
      throw new Error('killed');
    };
    expect(() => openLmdbStore({ path: lmdbPath(dataDir), useKey })).to.throw('killed');
    await (await openStore(location())).store.close();
    await (await openStore(location())).store.close();
  });
});
