import { Worker } from 'node:worker_threads';
import { killNow } from './kill-now.js';

const WAIT_AND_KILL = `
  const { workerData: ms } = require('node:worker_threads');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  process.kill(process.pid, 'SIGKILL');
`;

/**
 * Ends this process after so long, whatever it is doing by then: a thread of its own keeps the
 * time, because the main one may be what hangs. Does not keep the process alive.
 */
export function killAfter(ms: number): void {
  setTimeout(killNow, ms).unref();
  // Without a thread to be had, the timer has to do.
  new Worker(WAIT_AND_KILL, { eval: true, workerData: ms }).on('error', () => undefined).unref();
}
