import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CODE_FOLDERS, ROOT, readSources } from '#test/support/source-tree';
import { LONG_FILES } from './long-files.js';
import { planOf, slowestModuleText } from './plan.js';
import { startRunPostgres } from './postgres.js';
import { RUN_LIMIT_NAME } from './what-hangs.js';

/**
 * Tests that start processes wait for them more than they compute, so more of them run than there
 * are cores; the longest of all wait so much that one more runs beside them.
 */
const JOBS = { whole: 2 * availableParallelism(), fast: Math.max(2, availableParallelism()) };
/** A fast test that takes so long hangs. */
const FAST_TEST_MS_MAX = 20_000;
/**
 * A run takes minutes. One that takes so long hangs, and is ended with the names of the tests it
 * was at.
 */
const RUN_MS_MAX = 25 * 60_000;

/**
 * `npm test` and `npm run test:fast` (`--fast`). What else is given goes to mocha, `--grep` for
 * one.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const isFast = given.includes('--fast');
  const plan = planOf(readSources(CODE_FOLDERS));
  const { fast, slow, onPostgres } = plan;
  const options = isFast
    ? [
        '--jobs',
        JOBS.fast,
        '--timeout',
        FAST_TEST_MS_MAX,
        '--reporter',
        'dot',
        '--require',
        './dist/tools/run/no-processes.js',
      ]
    : ['--jobs', JOBS.whole];
  const files = isFast ? fast : longFirst([...slow.keys(), ...fast]);
  const rest = given.filter((each) => each !== '--fast');
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const postgres = files.some((file) => onPostgres.includes(file)) ? await startRunPostgres() : null;
  const child = spawn(process.execPath, [mocha, '--parallel', ...options.map(String), ...rest, ...files], {
    cwd: ROOT,
    env: {
      ...process.env,
      [RUN_LIMIT_NAME]: String(RUN_MS_MAX),
      ...postgres?.env,
      ...(isFast ? { TEST_SIZE: 'fast' } : {}),
    },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
    console.log(`  ${slowestModuleText(plan)}\n`);
    void postgres?.stop();
  });
}

/** What begins last must not be what ends last. */
function longFirst(files: readonly string[]): readonly string[] {
  return [...LONG_FILES.filter((file) => files.includes(file)), ...files.filter((file) => !LONG_FILES.includes(file))];
}

await main();
