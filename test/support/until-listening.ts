import { setTimeout } from 'node:timers/promises';

const START_MS_MAX = 30_000;
const PAUSE_MS = 100;

/** Resolves when something answers at an address of this machine. Rejects if nothing does. */
export async function untilListening(url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_MS_MAX; waitedMs += PAUSE_MS) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`nothing listens at ${url}`);
}
