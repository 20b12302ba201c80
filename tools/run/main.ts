import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { CODE_FOLDERS, ROOT, readSources } from '#test/support/source-tree';
import { LONG_FILES } from './long-files.js';
import { type Plan, planOf, slowestModuleText } from './plan.js';
import { startRunPostgres } from './postgres.js';
import { SHARD_COUNT, shardOf } from './shards.js';
import { RUN_LIMIT_NAME } from './what-hangs.js';

const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
/**
 * Tests wait more than they compute, those that start processes most of all, so more of them run
 * than there are cores.
 */
const JOBS = { whole: 2 * availableParallelism(), fast: 1 + availableParallelism() };
/** A fast test that takes so long hangs. */
const FAST_TEST_MS_MAX = 20_000;
/**
 * A run takes minutes. One that takes so long hangs, and is ended with the names of the tests it
 * was at.
 */
const RUN_MS_MAX = 25 * 60_000;

interface Options {
  readonly fast?: true;
  readonly all?: true;
  readonly shard?: number;
}

/** `npm test` and `npm run test:fast` (`--fast`). What else is given goes to mocha, `--grep` for one. */
async function main(): Promise<void> {
  const command = new Command('npm test --')
    .description('Run the tests that start no process, and of the others one shard, which is drawn.')
    .option('--shard <number>', `the shard to run, 1 to ${SHARD_COUNT}`, readShard)
    .option('--all', 'run all shards; also where --grep picks tests by name')
    .option('--fast', 'run none')
    .allowUnknownOption()
    .allowExcessArguments()
    .parse();
  const options = command.opts<Options>();
  const forMocha = command.args;
  const plan = planOf(readSources(CODE_FOLDERS));
  const { slow, which } = chooseSlow(plan, options, forMocha);
  const files = [...slow, ...plan.fast];
  const postgres = files.some((file) => plan.onPostgres.includes(file)) ? await startRunPostgres() : null;
  console.log(`  ${which}`);
  const args = ['--parallel', ...mochaOptions(options), ...forMocha, ...files];
  const child = spawn(process.execPath, [MOCHA, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      [RUN_LIMIT_NAME]: String(RUN_MS_MAX),
      ...postgres?.env,
      ...(options.fast ? { TEST_SIZE: 'fast' } : {}),
    },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
    console.log(`  ${slowestModuleText(plan)}\n  ${which}\n`);
    void postgres?.stop();
  });
}

function readShard(text: string): number {
  const shard = Number(text);
  if (Number.isInteger(shard) && shard >= 1 && shard <= SHARD_COUNT) return shard;
  throw new InvalidArgumentError(`It is a number from 1 to ${SHARD_COUNT}.`);
}

/** The slow files to run, the longest first, with a sentence that says which they are. */
interface Choice {
  readonly slow: readonly string[];
  readonly which: string;
}

function chooseSlow(plan: Plan, { fast, all, shard }: Options, forMocha: readonly string[]): Choice {
  const files = longFirst([...plan.slow.keys()]);
  if (fast) return { slow: [], which: 'none of the slow files' };
  if (all || forMocha.some((each) => /^(?:-g|--grep|-f|--fgrep)\b/.test(each)))
    return { slow: files, which: `all ${files.length} slow files` };
  const number = shard ?? 1 + randomInt(SHARD_COUNT);
  const slow = shardOf(files, number);
  const again = `--shard ${number} runs them again, --all runs all ${files.length}`;
  return { slow, which: `${slow.length} slow files, shard ${number} of ${SHARD_COUNT} (${again})` };
}

/** What begins last must not be what ends last. */
function longFirst(files: readonly string[]): readonly string[] {
  return [...LONG_FILES.filter((file) => files.includes(file)), ...files.filter((file) => !LONG_FILES.includes(file))];
}

function mochaOptions({ fast }: Options): readonly string[] {
  if (!fast) return ['--jobs', String(JOBS.whole)];
  return [
    ...['--jobs', String(JOBS.fast), '--timeout', String(FAST_TEST_MS_MAX), '--reporter', 'dot'],
    ...['--require', './dist/tools/run/no-processes.js'],
  ];
}

await main();
