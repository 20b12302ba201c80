import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/**
 * Loaded into a service before anything else: at each SIGUSR2 it writes the function calls since
 * the one before (V8's precise coverage) to the file named by COVERAGE_FILE.
 */
const session = new Session();
session.connect();

await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', async () => {
  const file = process.env.COVERAGE_FILE!;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  // Whoever waits for it finds it whole.
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
});
