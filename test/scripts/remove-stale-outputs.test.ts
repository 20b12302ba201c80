import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

describe('the removal of stale outputs', () => {
  let project: string;
  beforeEach(() => {
    project = tempFolder('build');
  });
  const put = (...paths: readonly string[]) => {
    for (const path of paths) {
      mkdirSync(join(project, dirname(path)), { recursive: true });
      writeFileSync(join(project, path), '');
    }
  };
  const run = () => execFileSync(process.execPath, [join(ROOT, 'scripts/remove-stale-outputs.mjs'), project]);
  const outputs = () =>
    readdirSync(join(project, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();

  it('removes what a moved or removed source left behind, and nothing else', () => {
    put('src/room/here.ts', 'src/room/facts.json', 'test/here.test.ts');
    put('dist/.tsbuildinfo', 'dist/src/room/here.js', 'dist/src/room/here.js.map', 'dist/src/room/facts.json');
    put('dist/test/here.test.js', 'dist/test/here.test.js.map');
    const before = outputs();
    put('dist/src/moved.js', 'dist/src/moved.js.map', 'dist/test/old/gone.test.js', 'dist/src/gone.json');
    run();
    expect(outputs()).to.deep.equal(before);
  });

  it('has nothing to do where nothing was built', () => {
    put('src/here.ts');
    run();
    expect(readdirSync(project)).to.deep.equal(['src']);
  });
});
