import { spawn } from 'node:child_process';
import { systemRandom } from '#adapters/process/system-random';
import { mulberry32 } from '#domain/seeded';
import { SHORT_LIVED } from './short-lived.js';

/** Repeatable dice (mulberry32), each throw from 0 to below 1. */
export interface Dice {
  /** Taken from SEED in the environment where it is set, so that a run can be repeated. */
  readonly seed: number;
  next(): number;
}

export function throwDice(seed = Number(process.env.SEED ?? Buffer.from(systemRandom.bytes(4)).readUInt32LE())): Dice {
  return { seed, next: mulberry32(seed) };
}

/**
 * Runs a compiled script and returns the whole lines that it wrote. With `killAfterMs` it is killed
 * (SIGKILL) that long after it first wrote something, unless it has ended by then; without, it has
 * to end by itself with 0.
 */
export function linesOf(
  script: string,
  args: readonly string[],
  killAfterMs: number | null,
): Promise<{ readonly lines: readonly string[]; readonly killed: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...SHORT_LIVED, script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (text === '' && killAfterMs !== null) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const killed = signal === 'SIGKILL';
      if (!killed && code !== 0) return reject(new Error(`the child ended by itself with ${code ?? signal}`));
      return resolve({ lines: text.split('\n').slice(0, -1), killed });
    });
  });
}
