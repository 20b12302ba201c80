import { armCrashPoint } from '#adapters/process/crash-point';
import { compose } from '#compose/compose';
import { ConfigError, describeConfig, readConfig } from '#config/config';
import { createLogger } from './log.js';
import { stopOnSignal } from './stop-on-signal.js';

/**
 * Starts the service from the environment (docs/configuration.md, "Variables"). Faults of the
 * configuration end it with code 2.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const service = compose(config, log, armCrashPoint(process.env.CRASH_AT));
  const { address, port } = await service.start();
  stopOnSignal(log, () => service.stop());
  log.info({ address, port, config: describeConfig(config) }, 'listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).stack}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
});
