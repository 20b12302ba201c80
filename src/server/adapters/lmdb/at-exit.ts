import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { killNow } from '../process/kill-now.js';
import { say } from '../process/say.js';
import { systemStopwatch } from '../process/system-clock.js';

/** A transaction takes milliseconds, unless the disk does not answer. */
const REST_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 1;

/** Transactions that are under way, of all databases. */
let inFlight = 0;
let isWatching = false;

/**
 * Counts a transaction until it has ended. If one is under way when the process ends, whether that
 * was asked for or an error was thrown, it is ended by SIGKILL: lmdb's thread waits for its turn of
 * the event loop, which does not come any more, and Node waits for the thread, for ever. What was
 * promised by then is on disk, as after any kill.
 */
export function countTransaction(ended: Promise<void>): void {
  inFlight++;
  void ended.finally(() => inFlight--);
  if (!isWatching) watch();
}

/**
 * Resolves when no transaction is under way: then the process can end as it wants to. Or after so
 * long.
 */
export async function untilAtRest(msMax = REST_MS_MAX): Promise<void> {
  const untilMs = systemStopwatch.elapsedMs() + msMax;
  while (inFlight > 0 && systemStopwatch.elapsedMs() < untilMs) await sleep(LOOK_AGAIN_MS);
}

function watch(): void {
  isWatching = true;
  // Node says why it ends after the listeners of its end.
  process.on('uncaughtExceptionMonitor', (error) => {
    if (inFlight > 0 && process.listenerCount('uncaughtException') === 0) say(inspect(error));
  });
  // Before lmdb's own, which waits as well.
  process.prependListener('exit', () => {
    if (inFlight > 0) killNow();
  });
}
