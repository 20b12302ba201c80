import { killAfter } from '#adapters/process/kill-after';
import { killNow } from '#adapters/process/kill-now';
import type { Log } from '#ports/log';
import { endProcess } from './end-process.js';

/**
 * How long an end may take, whatever hangs: clients are sent away in 2 s of it, and requests in
 * flight have ten.
 */
const STOP_MS_MAX = 16_000;

/**
 * Runs `stop` at the first SIGTERM or SIGINT and then ends the process: with 0, with 1 if it did
 * not stop cleanly, and by SIGKILL if it takes longer than the limit. A second signal ends it at
 * once.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>, msMax = STOP_MS_MAX): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return killNow();
    stopping = true;
    killAfter(msMax);
    log.info({ signal }, 'stopping');
    void end(log, stop, signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function end(log: Log, stop: () => Promise<void>, signal: NodeJS.Signals): Promise<void> {
  let code = 0;
  try {
    await stop();
    log.info({ signal }, 'stopped');
  } catch (err) {
    log.error({ err }, 'did not stop cleanly');
    code = 1;
  }
  await endProcess(code);
}
