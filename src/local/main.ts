import { Command, InvalidArgumentError } from 'commander';
import { armCrashPoint } from '#adapters/process/crash-point';
import { keepFilesPrivate } from '#compose/private-files';
import { keepRequestsYoung } from '#compose/young-memory';
import { ConfigError, readLocalConfig } from '#config/config';
import { stopOnSignal } from '#src/stop-on-signal';
import { startLocalProfile } from './local-profile.js';

interface Options {
  readonly recording?: string;
  readonly speed: number;
}

function parseSpeed(text: string): number {
  const speed = Number(text);
  if (!(speed > 0 && speed <= 1_000)) throw new InvalidArgumentError('give a number above 0, at most 1000');
  return speed;
}

/** Says what is being done to whoever watches; what is printed for pasting goes to stdout. */
function tell(what: string): void {
  console.error(`preflight: ${what}`);
}

/** `npm start`: a simulated venue and the service on it, on this machine alone. */
async function main(): Promise<void> {
  keepFilesPrivate();
  keepRequestsYoung();
  const { recording, speed } = new Command('npm start --')
    .description('Start Preflight beside a simulated venue on this machine.')
    .option(
      '--recording <file>',
      'also serve a recorded market channel (.csv or .jsonl, also as .gz), from its beginning',
    )
    .option('--speed <factor>', 'play the recording this many times faster', parseSpeed, 1)
    .parse()
    .opts<Options>();
  // The reader of what is printed may go away before we do.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const config = readLocalConfig(process.env);
  const profile = await startLocalProfile({
    config,
    recording: recording ?? null,
    speed,
    anvilBin: process.env.ANVIL_BIN || null,
    crash: armCrashPoint(process.env.CRASH_AT),
    tell,
  });
  stopOnSignal(profile.log, async () => {
    tell('stopping');
    await profile.stop();
    tell('stopped');
  });
  console.log(profile.welcome);
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explain(error));
  process.exit(error instanceof ConfigError ? 2 : 1);
});

/** What a person can do something about is one sentence; where it is not enough, the stack is one setting away. */
function explain(error: NodeJS.ErrnoException): string {
  if (process.env.LOG_LEVEL === 'debug') return error.stack ?? String(error);
  if (error.code === 'EADDRINUSE') return `${error.message}: something else is listening there; stop it or set PORT`;
  return error instanceof ConfigError ? error.message : `${error.message} (LOG_LEVEL=debug shows where)`;
}
