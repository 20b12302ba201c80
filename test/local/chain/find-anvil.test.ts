import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ANVIL_VERSION, findAnvil, type Machine } from '#local/chain/find-anvil';
import { installIfMissing } from '#local/chain/install-anvil';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const notInstalled = () => {
  throw new Error('no such module');
};
const whyOf = (machine: Machine) => {
  const found = findAnvil(null, machine, notInstalled);
  return found.kind === 'unavailable' ? found.why : '';
};

describe('the anvil that is run', () => {
  for (const [platform, arch, name] of [
    ['linux', 'x64', '@foundry-rs/anvil-linux-amd64'],
    ['linux', 'arm64', '@foundry-rs/anvil-linux-arm64'],
    ['darwin', 'x64', '@foundry-rs/anvil-darwin-amd64'],
    ['darwin', 'arm64', '@foundry-rs/anvil-darwin-arm64'],
  ] as const) {
    it(`is that of ${name} on ${platform} ${arch}, and without it the command that installs it is named`, () => {
      const requested: string[] = [];
      const resolve = (path: string) => {
        requested.push(path);
        return `/packages/${path}`;
      };
      const found = findAnvil(null, { platform, arch }, resolve);
      expect(found).to.deep.equal({ kind: 'found', path: `/packages/${name}/bin/anvil` });
      expect(requested).to.deep.equal([`${name}/bin/anvil`]);
      expect(whyOf({ platform, arch })).to.include(
        `run npm install --no-save ${name}@${ANVIL_VERSION}, or install Foundry`,
      );
    });
  }

  it('is one that is named with ANVIL_BIN elsewhere', () => {
    expect(whyOf({ platform: 'win32', arch: 'x64' })).to.equal(
      'The local chain needs anvil, and there is no package of it for win32 x64: ' +
        'install Foundry and set ANVIL_BIN to the path of its anvil.',
    );
    expect(findAnvil(process.execPath)).to.deep.equal({ kind: 'found', path: process.execPath });
    expect(findAnvil('/no/anvil')).to.deep.include({ kind: 'unavailable' });
  });

  it('has the version of the package that npm install brings', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(optionalDependencies).to.include({ '@foundry-rs/anvil-linux-amd64': ANVIL_VERSION });
  });

  describe('when its package is missing', () => {
    let folder: string;
    const said: string[] = [];
    const note = (_facts: object, text: string) => void said.push(text);
    const log = { debug: note, info: note, warn: note, error: note };

    beforeEach(() => {
      said.length = 0;
      folder = tempFolder('anvil');
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
    });
    it('is installed by the first start, and nothing else is changed', async function () {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        return skipLoudly(this, 'its registry may lack anvil');
      this.timeout(PROCESS_TEST_MS);
      const found = await installIfMissing(findAnvil(null, process, notInstalled), log, folder);
      if (found.kind !== 'found') return skipLoudly(this, `npm has no registry here: ${said.join()}`);
      expect(spawnSync(found.path, ['--version'], { encoding: 'utf8' }).stdout).to.include(ANVIL_VERSION);
      expect(readFileSync(join(folder, 'package.json'), 'utf8')).to.equal('{"private":true}');
      expect(existsSync(join(folder, 'package-lock.json'))).to.equal(false);
    });

    it('is told of in one sentence when it cannot be installed', async () => {
      const missing = findAnvil(null, process, notInstalled);
      if (missing.kind === 'found' || missing.package === null) throw new Error('this machine has no package');
      const broken = { ...missing, package: { name: 'x', spec: 'file:./no-such-folder' } };
      expect(await installIfMissing(broken, log, folder)).to.equal(broken);
      expect(said.at(-1)).to.equal('anvil could not be installed: the local chain stays off');
    });
  });
});
