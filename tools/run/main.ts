import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { CODE_FOLDERS, ROOT, readSources } from '#test/support/source-tree';
import { chooseFiles, type Wanted } from './choice.js';
import { planOf, slowestModuleText } from './plan.js';
import { startRunPostgres } from './postgres.js';
import { SHARD_COUNT } from './shards.js';
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

/** `npm test` and `npm run test:fast` (`--fast`). What else is given goes to mocha, `--grep` for one. */
async function main(): Promise<void> {
  const command = new Command('npm test --')
    .description('Run the tests that start no process, and of the others one shard, which is drawn.')
    .option('--shard <number>', `the shard to run, 1 to ${SHARD_COUNT}`, readShard)
    .option('--all', 'run all shards; also where --grep picks tests by name')
    .option('--fast', 'run none, and nothing else that takes long')
    .allowUnknownOption()
    .allowExcessArguments()
    .parse();
  const options = command.opts<Wanted>();
  const forMocha = command.args;
  const plan = planOf(readSources(CODE_FOLDERS));
  const { files, which } = chooseFiles(plan, { ...options, all: options.all || picksByName(forMocha) }, draw);
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

const draw = () => 1 + randomInt(SHARD_COUNT);

const picksByName = (args: readonly string[]) => args.some((each) => /^(?:-g|--grep|-f|--fgrep)\b/.test(each));

function mochaOptions({ fast }: Wanted): readonly string[] {
  if (!fast) return ['--jobs', String(JOBS.whole)];
  return [
    ...['--jobs', String(JOBS.fast), '--timeout', String(FAST_TEST_MS_MAX), '--reporter', 'dot'],
    ...['--require', './dist/tools/run/no-processes.js'],
  ];
}

await main();
