import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded first in a fast run, whose promise it keeps: a test that tries to start a process fails.
 * Mocha itself forks its workers.
 */
const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const;

for (const name of process.env.MOCHA_WORKER_ID === undefined ? [] : STARTS) {
  Object.defineProperty(childProcess, name, {
    value: () => {
      throw new Error(`${name}: a fast test starts no process`);
    },
  });
}
syncBuiltinESMExports();
