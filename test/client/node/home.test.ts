import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { makePrivateFolder } from '#client/node/durable';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runInProcess } from '../cli/support/test-world.js';

const MAIN = fileURLToPath(new URL('../../../src/client/cli/main.js', import.meta.url));
const LIMITS = ['limits', '--payer', `0x${'a'.repeat(40)}`];
/** Of a process that does not end by itself. */
const PATIENCE_MS = 20_000;

describe('the folder of the state', function () {
  this.timeout(PROCESS_TEST_MS);

  it('is made with those above it, for its owner alone, also behind a link', () => {
    const root = tempFolder('home');
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'));
    for (const path of [join(root, 'a', 'b', 'c'), join(root, 'link', 'b'), join(root, 'a', 'b', 'c')]) {
      makePrivateFolder(path);
      expect((statSync(path).mode & 0o777).toString(8)).to.equal('700');
    }
    expect((statSync(join(root, 'a')).mode & 0o777).toString(8)).to.equal('700');
  });

  it('that cannot be made is named with what to do', async () => {
    const root = tempFolder('home');
    const file = join(root, 'file');
    writeFileSync(file, '');
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
    for (const home of [file, join(file, 'state'), join(root, 'dangling')]) {
      const { exitCode, stderr } = await runInProcess(LIMITS, { env: { PREFLIGHT_HOME: home } });
      expect([exitCode, stderr.includes('ENOENT: no such')]).to.deep.equal([1, false]);
      expect(stderr).to.match(/^preflight: \S+ cannot be made \(\w+\): name another folder in PREFLIGHT_HOME\n$/);
    }
  });

  it('that the kernel takes nowhere ends a command at once', function () {
    if (!existsSync('/proc/self')) skipLoudly(this, 'there is no /proc');
    const env = { PATH: process.env.PATH, PREFLIGHT_HOME: '/proc/x/y' };
    const ended = spawnSync(process.execPath, [...SHORT_LIVED, MAIN, ...LIMITS], {
      env,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    expect([ended.status, ended.stderr]).to.deep.equal([
      1,
      'preflight: /proc/x cannot be made (ENOENT): name another folder in PREFLIGHT_HOME\n',
    ]);
  });
});
