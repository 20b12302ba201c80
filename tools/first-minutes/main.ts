import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { freeLowPort } from '#local/free-low-port';
import { type Step, Steps } from './steps.js';

interface Options {
  readonly checkout: string;
  readonly keep?: true;
}

/** From the end of the install to the first verdict, on a machine with nothing else to do. */
const VERDICT_SECONDS_MAX = 25;
const START_AGAIN_SECONDS_MAX = 5;
const SILENT_SECONDS_MAX = 5;
const INSTALL_MB_MAX = 350;

const WALLET = '0x2222222222222222222222222222222222222222';
const MARKET = 'will-arcadia-call-a-snap-election-by-december-31';

/**
 * Plays the first minutes of a newcomer: a fresh clone, the install, `npm start`, a promo code and
 * a verdict. Prints how long each step took, the longest time in which nothing was printed, and
 * what the install weighs; ends with code 1 when a goal was missed.
 */
async function main(): Promise<void> {
  const { checkout, keep } = new Command('first-minutes')
    .option('--checkout <dir>', 'the repository that is cloned: what is not committed is not there', '.')
    .option('--keep', 'leave the clone where it is')
    .parse()
    .opts<Options>();
  const folder = mkdtempSync(join(tmpdir(), 'preflight-first-minutes-'));
  try {
    await play(checkout, join(folder, 'preflight'));
  } finally {
    if (keep) console.log(`the clone is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function play(checkout: string, clone: string): Promise<void> {
  execFileSync('git', ['clone', '--quiet', checkout, clone]);
  const port = await freeLowPort();
  const url = `http://127.0.0.1:${port}`;
  const steps = new Steps(clone, { PORT: String(port), PREFLIGHT_URL: url, PREFLIGHT_HOME: join(clone, '.home') });
  const preflight = (...args: readonly string[]) => steps.run(['node', 'dist/client/bin/preflight.js', ...args]);

  const install = await steps.run(['npm', 'install', '--no-audit', '--no-fund']);
  const installMb = Number(
    execFileSync('du', ['-sm', join(clone, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
  );
  const start = await steps.start(['npm', 'start'], /Promo code: (\S+)/);
  const redeem = await preflight('redeem', start.found, WALLET, '--save-token', 'my.token');
  const verdict = await preflight('verdict', MARKET, '--usd', '2000', '--token-file', 'my.token');
  await start.stop();
  const again = await steps.start(['npm', 'start'], /Promo code: (\S+)/);
  await again.stop();

  report([
    ['install', install],
    ['start', start],
    ['redeem', redeem],
    ['verdict', verdict],
    ['start again', again],
  ]);
  const toVerdict = start.seconds + redeem.seconds + verdict.seconds;
  const silentSeconds = Math.max(start.silentSeconds, redeem.silentSeconds, verdict.silentSeconds);
  const isMet = [
    goal('from the end of the install to the first verdict, s', toVerdict, VERDICT_SECONDS_MAX),
    goal('start again, s', again.seconds, START_AGAIN_SECONDS_MAX),
    goal('longest silence after the install, s', silentSeconds, SILENT_SECONDS_MAX),
    goal('node_modules, MB', installMb, INSTALL_MB_MAX),
  ];
  process.exitCode = isMet.every(Boolean) ? 0 : 1;
}

function report(steps: readonly (readonly [name: string, step: Step])[]): void {
  console.log('| step | seconds | longest silence, s |\n| --- | ---: | ---: |');
  for (const [name, { seconds, silentSeconds }] of steps) {
    console.log(`| ${name} | ${seconds.toFixed(1)} | ${silentSeconds.toFixed(1)} |`);
  }
}

function goal(what: string, value: number, max: number): boolean {
  const isMet = value <= max;
  console.log(`${isMet ? 'met' : 'NOT MET'}: ${what}: ${value.toFixed(1)}, at most ${max}`);
  return isMet;
}

await main();
