import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

const STARTS: Record<string, { readonly file: string; readonly entry: string }> = {
  'the unit': { file: 'deploy/preflight.service', entry: 'main' },
  'the image': { file: 'deploy/Dockerfile', entry: 'main' },
  'npm start': { file: 'package.json', entry: 'local' },
  'npm run cluster': { file: 'package.json', entry: 'cluster' },
};

describe('the pool of threads of a service', () => {
  for (const [name, { file, entry }] of Object.entries(STARTS)) {
    it(`is sized before it is used, as ${name} starts it`, async () => {
      expect(await readFile(join(ROOT, file), 'utf8')).to.include(`${entry}.cjs`);
      const start = await readFile(join(ROOT, `dist/bundle/service/${entry}.cjs`), 'utf8');
      expect(start).to.match(/^process\.env\.UV_THREADPOOL_SIZE \?\?= '16';\nimport\(/);
    });
  }

  it('has as many threads as are said there, and as an operator says otherwise', async function () {
    if (process.platform !== 'linux') return this.skip();
    const script = `process.env.UV_THREADPOOL_SIZE ??= '16';
      import('data:text/javascript,' + encodeURIComponent(\`
        import { readdir } from 'node:fs/promises';
        await Promise.all(Array.from({ length: 64 }, () => readdir('/')));
        console.log((await readdir('/proc/self/task')).length);
      \`));`;
    const tasks = async (env: NodeJS.ProcessEnv) =>
      Number((await runProgram(process.execPath, [...SHORT_LIVED, '-e', script], { env, input: '' })).stdout);
    const [sized, asked] = [await tasks({}), await tasks({ UV_THREADPOOL_SIZE: '4' })];
    expect(sized - asked).to.equal(16 - 4);
  });

  it('is used by nothing before: every start is a script, for a module is loaded by the pool', () => {
    const starts = readdirSync(join(ROOT, 'dist/bundle/service')).filter((name) => name.endsWith('.cjs'));
    expect(starts.toSorted()).to.deep.equal(['cluster.cjs', 'local.cjs', 'main.cjs']);
  });
});
