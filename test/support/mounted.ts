import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Context } from 'mocha';
import { skipLoudly } from './skipped.js';

/**
 * Mounts a file system, by the arguments of `mount`, of which the last is where, and returns what
 * unmounts it. Skips the test where this user or system cannot.
 */
export function mountOrSkip(test: Context, ...args: readonly string[]): () => void {
  const at = args.at(-1)!;
  mkdirSync(at, { recursive: true });
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
  } catch {
    skipLoudly(test, 'a file system can be mounted by root on Linux alone');
  }
  return () => execFileSync('umount', ['-l', at]);
}
