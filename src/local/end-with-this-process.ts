import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Sends a process the signal when this one is gone: a shell reads a pipe to its end, which comes
 * then. It costs 1 MB and, unlike a handler in this process, also works after kill -9. Returns what
 * releases the process.
 */
export function endWithThisProcess(pid: number, signal: 'KILL' | 'INT' | 'TERM'): () => void {
  const watchdog = spawn('/bin/sh', ['-c', 'read _; kill -"$1" "$0"', String(pid), signal], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  // It must not be what keeps this process from ending.
  watchdog.unref();
  (watchdog.stdin as Socket).unref();
  return () => watchdog.kill('SIGKILL');
}
