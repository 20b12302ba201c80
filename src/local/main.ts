import { Command, InvalidArgumentError } from 'commander';
import { armCrashPoint } from '#adapters/process/crash-point';
import { keepFilesPrivate } from '#compose/private-files';
import { keepRequestsYoung } from '#compose/young-memory';
import { readLocalConfig } from '#config/config';
import { stopOnSignal } from '#server/stop-on-signal';
import { startLocalProfile } from './local-profile.js';
import { endWithSentence, ignoreGoneReader, print } from './terminal.js';

interface Options {
  readonly recording?: string;
  readonly speed: number;
  readonly strangeNames?: boolean;
}

function parseSpeed(text: string): number {
  const speed = Number(text);
  if (!(speed > 0 && speed <= 1_000)) throw new InvalidArgumentError('give a number above 0, at most 1000');
  return speed;
}

/** `npm start`: a simulated venue and the service on it, on this machine alone. */
async function main(): Promise<void> {
  keepFilesPrivate();
  keepRequestsYoung();
  const {
    recording,
    speed,
    strangeNames: hostileNames = false,
  } = new Command('npm start --')
    .description('Start Preflight beside a simulated venue on this machine.')
    .option(
      '--recording <file>',
      'also serve a recorded market channel (.csv or .jsonl, also as .gz), from its beginning',
    )
    .option('--speed <factor>', 'play the recording this many times faster', parseSpeed, 1)
    .option('--strange-names', 'also list markets and wallets whose names hold markup, script and worse')
    .parse()
    .opts<Options>();
  ignoreGoneReader();
  const config = readLocalConfig(process.env);
  const profile = await startLocalProfile({
    config,
    recording: recording ?? null,
    speed,
    hostileNames,
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
