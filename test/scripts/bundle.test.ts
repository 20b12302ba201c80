import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';

describe('the bundles of what runs', () => {
  it('are not made again while the sources are the same', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/bundle.mjs')], { encoding: 'utf8' });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('are all that npm start needs: it asks for no compiler', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(scripts.prestart).to.equal('node scripts/before-start.mjs && node scripts/bundle.mjs');
    expect(scripts.start).to.match(/ dist\/bundle\/service\/local\.cjs$/);
  });
});

describe('the list of what a verdict is computed with', () => {
  const lines = readFileSync(join(ROOT, 'dist/engine.sha256'), 'utf8').trimEnd().split('\n');
  const files = lines.map((line) => line.slice(line.indexOf('  ') + 2));

  it('has the hash of each source, as sha256sum checks it', () => {
    for (const line of lines) {
      const [hash, path] = line.split('  ') as [string, string];
      expect(
        createHash('sha256')
          .update(readFileSync(join(ROOT, path)))
          .digest('hex'),
        path,
      ).to.equal(hash);
    }
  });

  it('names the rules, the arithmetic and the texts, and nothing that only reads or answers', () => {
    expect(files).to.include.members(['src/judge/assess.ts', 'src/judge/verdict-body.ts', 'machines/classifier.ts']);
    expect(files.filter((path) => !/^(src\/(judge|shared)|machines)\//.test(path))).to.deep.equal([]);
  });
});
