import { Command, InvalidArgumentError } from 'commander';
import { armCrashPoint } from '#adapters/process/crash-point';
import { keepFilesPrivate } from '#compose/private-files';
import { tuneEngine } from '#compose/tune-engine';
import { readLocalConfig } from '#config/config';
import { stopOnSignal } from '#server/stop-on-signal';
import { startLocalProfile } from './local-profile.js';
import { endWithSentence, ignoreGoneReader, print } from './terminal.js';

interface Options {
  readonly recording?: string;
  readonly speed: number;
  readonly strangeNames?: boolean;
  readonly mishaps: number;
}

function parseSpeed(text: string): number {
  const speed = Number(text);
  if (!(speed > 0 && speed <= 1_000)) throw new InvalidArgumentError('give a number above 0, at most 1000');
  return speed;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1)) throw new InvalidArgumentError('give a number from 0 to 1');
  return share;
}

/** `npm start`: a simulated venue and the service on it, on this machine alone. */
async function main(): Promise<void> {
  keepFilesPrivate();
  tuneEngine();
  const {
    recording,
    speed,
    strangeNames: hostileNames = false,
    mishaps,
  } = new Command('npm start --')
    .description('Start Preflight beside a simulated venue on this machine.')
    .option(
      '--recording <file>',
      'also serve a recorded market channel (.csv or .jsonl, also as .gz), from its beginning',
    )
    .option('--speed <factor>', 'play the recording this many times faster', parseSpeed, 1)
    .option('--strange-names', 'also list markets and wallets whose names hold markup, script and worse')
    .option(
      '--mishaps <share>',
      'let an edge answer this share of the requests to the venue (403, 404, 429), and as many of its messages leave out what they may',
      parseShare,
      0,
    )
    .parse()
    .opts<Options>();
  ignoreGoneReader();
  const config = readLocalConfig(process.env);
  const profile = await startLocalProfile({
    config,
    recording: recording ?? null,
    speed,
    hostileNames,
    mishaps,
    anvilBin: process.env.ANVIL_BIN || null,
    crash: armCrashPoint(process.env.CRASH_AT),
    print,
  });
  stopOnSignal(profile.log, async () => {
    print('stopping');
    await profile.stop();
    print('stopped');
  });
  console.log(profile.welcome);
}

main().catch((error: NodeJS.ErrnoException) => endWithSentence(error, process.env.LOG_LEVEL === 'debug'));
