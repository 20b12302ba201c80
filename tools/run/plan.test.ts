import { expect } from 'chai';
import { CODE_FOLDERS, readSources, type SourceFile } from '#test/support/source-tree';
import { LONG_FILES } from './long-files.js';
import { planOf, slowestModuleText } from './plan.js';

const source = (path: string, ...loads: readonly string[]): SourceFile => ({
  path,
  text: '',
  files: [],
  packages: [],
  loads,
});

describe('the plan of a test run', () => {
  it('calls a test slow when anything that it loads can start a process, the local venue or the tape, and shows the way', () => {
    const { fast, slow } = planOf([
      source('test/a.test.ts', 'test/support/a.ts', 'chai'),
      source('test/b.test.ts', 'chai', 'test/support/b.ts'),
      source('test/c.test.ts', 'node:child_process'),
      source('test/support/a.ts', 'test/support/b.ts', 'test/support/a.ts'),
      source('test/support/b.ts', 'node:fs'),
      source('test/d.test.ts', 'test/support/d.ts'),
      source('test/support/d.ts', 'test/support/a.ts', 'src/chain.ts'),
      source('src/chain.ts', 'test/support/d.ts', 'node:worker_threads'),
      source('test/e.test.ts', 'src/local/venue/start-local-venue.ts'),
      source('test/f.test.ts', '@duckdb/node-api'),
    ]);
    expect(fast).to.deep.equal(['dist/test/a.test.js', 'dist/test/b.test.js']);
    expect(Object.fromEntries(slow)).to.deep.equal({
      'dist/test/c.test.js': ['test/c.test.ts', 'node:child_process'],
      'dist/test/d.test.js': ['test/d.test.ts', 'test/support/d.ts', 'src/chain.ts', 'node:worker_threads'],
      'dist/test/e.test.js': ['test/e.test.ts', 'src/local/venue/start-local-venue.ts'],
      'dist/test/f.test.js': ['test/f.test.ts', '@duckdb/node-api'],
    });
  });

  it('names the module by which most files are slow', () => {
    const plan = planOf([
      source('test/a.test.ts', 'test/support/chain.ts'),
      source('test/b.test.ts', 'test/support/chain.ts'),
      source('test/c.test.ts', 'node:cluster'),
      source('test/d.test.ts'),
      source('test/support/chain.ts', 'node:worker_threads'),
    ]);
    expect(slowestModuleText(plan)).to.equal(
      '3 of 4 files are slow, 2 of them by test/support/chain.ts, which loads node:worker_threads',
    );
  });

  it('knows which tests want a PostgreSQL, however far away they load it', () => {
    const { onPostgres, slow } = planOf(readSources(CODE_FOLDERS));
    expect(onPostgres).to.include('dist/test/support/postgres.test.js');
    expect(onPostgres.filter((path) => !slow.has(path))).to.deep.equal([]);
    expect(onPostgres).to.not.include('dist/test/server/cli/main.test.js');
  });

  it('does not count what is imported for its types alone', () => {
    const [file] = readSources(['tools/run']).filter(({ path }) => path === 'tools/run/plan.ts');
    expect([file!.files, file!.loads]).to.deep.equal([['test/support/source-tree.ts'], []]);
  });

  it('finds the slow tests of this project, and more that are fast', () => {
    const { fast, slow } = planOf(readSources(CODE_FOLDERS));
    const room = (name: string) => [...slow.keys()].filter((path) => path.startsWith(`dist/test/${name}/`));
    for (const name of ['server/cli', 'payments', 'local']) expect(room(name), name).to.not.be.empty;
    for (const name of ['shared/domain', 'machines', 'shared/wire', 'streams'])
      expect(room(name), name).to.deep.equal([]);
    expect(fast.length).to.be.above(slow.size);
  });

  it('begins with long files that are there', () => {
    const { fast, slow } = planOf(readSources(CODE_FOLDERS));
    expect(LONG_FILES.filter((file) => !slow.has(file) && !fast.includes(file))).to.deep.equal([]);
  });

  it('lets recordings be read by one module alone', () => {
    const naming = readSources(['test', 'tools'])
      .filter(({ text }) => /CAPTURES_DIR|shared\/captures/.test(text))
      .map(({ path }) => path);
    expect(naming.sort()).to.deep.equal(['test/support/captures.ts', 'tools/run/plan.test.ts']);
  });
});
