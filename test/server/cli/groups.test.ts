import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Command } from 'commander';
import { addGroups } from '#cli/groups';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const BUNDLE = join(ROOT, 'dist/bundle/service/preflightctl.js');
const STATIC_IMPORT = /^(?:import|export)\s(?:[^'"]*?\sfrom\s*)?["']([^"']+)["']/gm;

describe('the groups of commands of preflightctl', () => {
  const commandsFor = async (...words: string[]) => {
    const program = new Command();
    await addGroups(program, words);
    return Object.fromEntries(program.commands.map((group) => [group.name(), group.commands.length > 0]));
  };

  it('has the commands of the group that is named, and only those', async () => {
    const none = { admin: false, tape: false, ratings: false, store: false, venue: false };
    expect(await commandsFor('--version')).to.deep.equal(none);
    expect(await commandsFor('help', 'store')).to.include({ store: true, admin: false });
    expect(await commandsFor('admin', 'ledger', 'store')).to.include({ admin: true, store: false });
  });

  it('loads neither the store nor signatures for --version and --help', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      if (!file.startsWith('/')) return;
      for (const [, from] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
        load(from!.startsWith('.') ? join(dirname(file), from!) : from!);
      }
    };
    load(BUNDLE);
    const packages = [...loaded].filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
    expect(packages).to.deep.equal([]);
  });
});

describe('the output of preflightctl', function () {
  this.timeout(PROCESS_TEST_MS);
  const run = (redirected: string) =>
    runProgram('sh', ['-c', `"$0" "$@" ${redirected}`, process.execPath, ...SHORT_LIVED, BUNDLE, 'admin', '--help']);

  it('may have a reader who goes, which is no fault', async () => {
    const { stderr } = await run('| true');
    expect(stderr).to.equal('');
  });

  it('is told of in a line, and is a failure, where a full disk does not take it', async function () {
    if (!existsSync('/dev/full')) skipLoudly(this, 'there is no /dev/full');
    const { exitCode, stderr } = await run('> /dev/full');
    expect([exitCode, stderr.split('; ')]).to.deep.equal([
      1,
      [
        'error: standard output cannot be written (ENOSPC)',
        'what it was to change may be in the store: look there before you repeat it\n',
      ],
    ]);
  });
});

describe('the environment of preflightctl', function () {
  this.timeout(PROCESS_TEST_MS);

  it('may have empty settings, which count as unset', async () => {
    const cwd = tempFolder('empty-settings');
    for (const empty of ['', ' ']) {
      const env = { PATH: process.env.PATH, DATA_DIR: empty, KEYS_DIR: empty, STORE_URL: empty };
      const args = [...SHORT_LIVED, BUNDLE, 'admin', 'promo', 'list'];
      const { stderr } = await runProgram(process.execPath, args, { cwd, env });
      expect(stderr).to.match(/^error: there is no store at data\/credits\.lmdb: /);
    }
  });

  it('ends with a sentence and 1 where a command waits for what never comes', async () => {
    const program = fileURLToPath(new URL('./support/never-ends.js', import.meta.url));
    const { exitCode, stderr } = await runProgram(process.execPath, [program], {});
    expect([exitCode, stderr.includes('error: the command could not be ended; what it was to change')]).to.deep.equal([
      1,
      true,
    ]);
  });
});
