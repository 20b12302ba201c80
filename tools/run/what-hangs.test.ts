import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';
import { hangText, RUN_LIMIT_NAME } from './what-hangs.js';

const SUITES = {
  'deaf.mjs': `describe('a suite', () => {
    it('ends', () => {});
    it('hears nothing', () => { for (;;); });
  });`,
  'waiting.mjs': `describe('another', () => {
    it('waits for what never comes', () => new Promise(() => {})).timeout(50);
    it('would wait as long', () => { console.log('was run'); });
  });`,
  'hook.mjs': `describe('a third', () => {
    before(() => { for (;;); });
    it('is not come to', () => {});
  });`,
  'dead.mjs': `it('dies', () => { process.kill(process.pid, 'SIGKILL'); });`,
};

describe('a test that hangs', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'preflight-hang-'));
    for (const [name, text] of Object.entries(SUITES)) writeFileSync(join(dir, name), text);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const run = (files: readonly string[], limit: Readonly<Record<string, string>>) => {
    const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
    const args = [mocha, '--parallel', '--jobs', '2', ...files.map((name) => join(dir, name))];
    // Of the run that this test is of it knows nothing.
    const { MOCHA_WORKER_ID: _, TEST_RUN_DIR: __, ...env } = process.env;
    return spawnSync(process.execPath, args, { cwd: ROOT, env: { ...env, ...limit }, encoding: 'utf8' });
  };

  it('ends the run with its name though its process hears nothing any more', () => {
    const { status, stderr } = run(['deaf.mjs', 'waiting.mjs'], { [RUN_LIMIT_NAME]: '5000' });
    expect(status).to.equal(1);
    expect(stderr).to.match(/the run did not end .*\n.*deaf\.mjs: "a suite hears nothing", for \d+ s \(process \d+\)/);
  });

  it('ends it also if that is a hook, or if another process died meanwhile', () => {
    const { status, stderr } = run(['dead.mjs', 'hook.mjs'], { [RUN_LIMIT_NAME]: '5000' });
    expect(status).to.equal(1);
    expect(stderr).to.match(/hook\.mjs: "before, between or after its tests", for \d+ s \(process \d+\)/);
    const [, pid] = /hook\.mjs: .* \(process (\d+)\)/.exec(stderr)!;
    // Nobody may have asked yet what became of it.
    const state = spawnSync('ps', ['-o', 'state=', '-p', pid!], { encoding: 'utf8' }).stdout.trim();
    expect(state).to.be.oneOf(['', 'Z']);
  });

  it('takes those after it in its file along, which says so', () => {
    const { status, stdout } = run(['waiting.mjs'], {});
    expect(status).to.equal(1);
    expect(stdout)
      .to.include('1 failing')
      .and.to.include('SKIPPED 1: a test before it in its file took too long\n    - another would wait as long');
    expect(stdout).to.not.include('was run');
  });

  it('is named before those that began later', () => {
    const test = { file: 'a.js', title: 'waits', pid: 7, sinceMs: 1_000 };
    const text = hangText([{ ...test, title: 'began', sinceMs: 61_000 }, test], { nowMs: 121_000, msMax: 120_000 });
    expect(text.split('\n')).to.deep.equal([
      'the run did not end within 120 s and was ended; it was at',
      '  - a.js: "waits", for 120 s (process 7)',
      '  - a.js: "began", for 60 s (process 7)',
    ]);
  });
});
