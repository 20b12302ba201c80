import { armCrashPoint } from '#adapters/process/crash-point';
import { compose } from '#compose/compose';
import { exposureOf, keepFilesPrivate } from '#compose/private-files';
import { keepRequestsYoung } from '#compose/young-memory';
import { ConfigError, describeConfig, readConfig } from '#config/config';
import { OutsideError } from '#domain/errors';
import { createLogger } from './log.js';
import { standardOutput } from './log-destination.js';
import { stopOnSignal } from './stop-on-signal.js';

/**
 * Starts the service from the environment (docs/configuration.md, "Variables"). Faults of the
 * configuration end it with code 2.
 */
async function main(): Promise<void> {
  keepFilesPrivate();
  keepRequestsYoung();
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel, standardOutput());
  const exposure = exposureOf(config.dataDir);
  if (exposure !== null) log.warn({ dataDir: config.dataDir }, exposure);
  const service = compose(config, log, armCrashPoint(process.env.CRASH_AT));
  const { address, port } = await service.start();
  stopOnSignal(log, () => service.stop());
  log.info({ address, port, config: describeConfig(config) }, 'listening');
}

main().catch((error: unknown) => {
  const isSentence = error instanceof ConfigError || error instanceof OutsideError;
  process.stderr.write(`${isSentence ? error.message : (error as Error).stack}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
});
