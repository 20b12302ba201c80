import { armCrashPoint } from '#adapters/process/crash-point';
import { standardOutput } from '#adapters/process/log-destination';
import { compose } from '#compose/compose';
import { makePlaces } from '#compose/places';
import { exposureOf, keepFilesPrivate } from '#compose/private-files';
import { tuneEngine } from '#compose/tune-engine';
import { ConfigError, describeConfig, type Env, readConfig } from '#config/config';
import { OutsideError } from '#domain/errors';
import { endProcess } from './end-process.js';
import { createLogger } from './log.js';
import { stopOnSignal } from './stop-on-signal.js';

/**
 * Starts the service from the environment (docs/configuration.md, "Variables") and runs it until a
 * signal ends it. `note` is a sentence for all who read the payment terms. Faults of the
 * configuration end the process with code 2.
 */
export function runService(env: Env, note?: string): void {
  start(env, note).catch((error: unknown) => {
    const isSentence = error instanceof ConfigError || error instanceof OutsideError;
    process.stderr.write(`${isSentence ? error.message : (error as Error).stack}\n`);
    return endProcess(error instanceof ConfigError ? 2 : 1);
  });
}

async function start(env: Env, note: string | undefined): Promise<void> {
  keepFilesPrivate();
  tuneEngine();
  const config = readConfig(env);
  makePlaces(config);
  const log = createLogger(config.logLevel, standardOutput());
  const exposure = exposureOf(config.dataDir);
  if (exposure !== null) log.warn({ dataDir: config.dataDir }, exposure);
  const service = await compose(config, log, armCrashPoint(env.CRASH_AT), Promise.resolve(), note);
  const { address, port } = await service.start();
  stopOnSignal(log, async () => {
    await service.drain();
    await service.stop();
  });
  log.info({ address, port, config: describeConfig(config) }, 'listening');
}
