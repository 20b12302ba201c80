import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '#test/support/run-program';
import { tempFolder } from '#test/support/temp-folder';
import { runInProcess } from './support/test-world.js';

/** What bash offers for a line whose last word is being typed. */
async function offered(script: string, words: readonly string[]): Promise<readonly string[]> {
  const path = join(tempFolder('completion'), 'preflight.bash');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const asked = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _preflight; printf '%s\\n' "\${COMPREPLY[@]}"`;
  writeFileSync(path, `${script}\n${asked}\n`);
  const { exitCode, stdout, stderr } = await runProgram('bash', ['--norc', '--noprofile', path]);
  expect([exitCode, stderr]).to.deep.equal([0, '']);
  return stdout.trim().split('\n');
}

describe('preflight completion', () => {
  const script = async (shell: string) => (await runInProcess(['completion', shell], {})).stdout;

  it('lets bash complete commands, nested commands and options', async () => {
    const bash = await script('bash');
    expect(await offered(bash, ['preflight', 'ver'])).to.deep.equal(['verdict', 'verify']);
    expect(await offered(bash, ['preflight', 'guard', 're'])).to.deep.equal(['report']);
    expect(await offered(bash, ['preflight', 'verdict', '--max-s'])).to.deep.equal(['--max-slippage-c']);
  });

  it('knows every command in each shell', async () => {
    const { stdout: help } = await runInProcess(['--help'], {});
    const names = [...help.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map(([, name]) => name!);
    expect(names).to.include('completion');
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = await script(shell);
      expect(
        names.filter((name) => name !== 'help' && !new RegExp(`\\b${name}\\b`).test(text)),
        shell,
      ).to.deep.equal([]);
    }
  });

  it('names the shells that there are', async () => {
    const { exitCode, stderr } = await runInProcess(['completion', 'tcsh'], {});
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/Give bash, zsh or fish/);
  });
});
