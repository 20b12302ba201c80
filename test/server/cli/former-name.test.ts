import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

const FORMER = join(ROOT, 'dist/bundle/service/preflight.js');

describe('preflight, in a checkout', () => {
  const run = (...args: readonly string[]) =>
    runProgram(process.execPath, [...SHORT_LIVED, FORMER, ...args], { env: { PATH: process.env.PATH } });

  it('is the command of callers', async () => {
    const { exitCode, stdout, stderr } = await run('--help');
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('verdict [options] <market>');
  });

  it('still runs what preflightctl runs, says so, and leaves its output as it was', async () => {
    const { exitCode, stdout, stderr } = await run('store', '--help');
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/^Usage: preflightctl store/);
    expect(stderr).to.equal(
      'preflight: use "preflightctl store"; the next version no longer runs it as "preflight".\n',
    );
  });
});
