import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ANVIL_VERSION, findAnvil, type Machine } from '#local/chain/find-anvil';
import { ROOT } from '#test/support/source-tree';

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
      const asked: string[] = [];
      const resolve = (path: string) => {
        asked.push(path);
        return `/packages/${path}`;
      };
      const found = findAnvil(null, { platform, arch }, resolve);
      expect(found).to.deep.equal({ kind: 'found', path: `/packages/${name}/bin/anvil` });
      expect(asked).to.deep.equal([`${name}/bin/anvil`]);
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
    expect(optionalDependencies).to.deep.equal({ '@foundry-rs/anvil-linux-amd64': ANVIL_VERSION });
  });
});
