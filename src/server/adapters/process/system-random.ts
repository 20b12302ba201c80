import { randomBytes } from 'node:crypto';
import type { Random } from '#system/random';

/** Chance of the machine: `next` for jitter, `bytes` (the kernel's generator) for secrets. */
export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
