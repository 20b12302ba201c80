import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';

const beforeStart = (version: string) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/before-start.mjs'), ROOT, version], { encoding: 'utf8' });

describe('before npm start', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '30.1.1']) {
    it(`lets Node ${version} build`, () => {
      expect(beforeStart(version)).to.include({ status: 0 });
    });
  }

  for (const version of ['18.20.4', '20.18.3', '9.0.0']) {
    it(`says in one sentence that Node ${version} is too old`, () => {
      const { status, stderr } = beforeStart(version);
      expect(status).to.equal(1);
      expect(stderr).to.match(/^preflight: it needs Node 20\.19 or newer, and this is [\d.]+: [^\n]+\n$/);
    });
  }
});
