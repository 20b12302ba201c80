import type { SystemCall, Write } from './system-calls.js';

/** LMDB's two pages of meta data come first. */
const META_BYTES = 2 * 4_096;
const SECTOR_BYTES = 512;

/** A number from 0 to below 1. */
export type Dice = () => number;

/**
 * Which writes have reached the disk of those that nobody was promised: a disk may carry them out
 * in any order, and a page in part.
 */
export const IMAGE_KINDS: Readonly<Record<string, (pending: readonly Write[], dice: Dice) => readonly Write[]>> = {
  none: () => [],
  all: (pending) => pending,
  half: (pending, dice) => pending.filter(() => dice() < 0.5),
  newest: (pending) => pending.slice(-1),
  'meta only': (pending) => pending.filter(isMeta),
  torn: (pending, dice) => {
    const pages = pending.filter((write) => !isMeta(write));
    const torn = pages[Math.floor(dice() * pages.length)];
    return pending.map((write) => (write === torn ? cut(write, dice) : write));
  },
};

/** The file as a power cut at this line of the trace can leave it. */
export function imageAt(
  before: Buffer,
  calls: readonly SystemCall[],
  line: number,
  kind: string,
  dice: Dice,
): { readonly image: Buffer; readonly pending: number } {
  const writes = calls.filter((call): call is Write => call.kind === 'write' && call.began <= line);
  const syncs = calls.filter((call) => call.kind === 'sync' && call.ended <= line);
  const lastSync = Math.max(-1, ...syncs.map(({ began }) => began));
  const isDurable = ({ ended, isSynchronous }: Write) => ended < lastSync || (isSynchronous && ended <= line);
  const pending = writes.filter((write) => !isDurable(write));
  const arrived = new Map(IMAGE_KINDS[kind]!(pending, dice).map((write) => [write.began, write]));
  let image = Buffer.from(before);
  for (const write of writes) {
    const { offset, bytes } = isDurable(write) ? write : (arrived.get(write.began) ?? { offset: 0, bytes: null });
    if (bytes === null) continue;
    if (image.length < offset + bytes.length) image = Buffer.concat([image], offset + bytes.length);
    bytes.copy(image, offset);
  }
  return { image, pending: pending.length };
}

function isMeta({ offset }: Write): boolean {
  return offset < META_BYTES;
}

function cut(write: Write, dice: Dice): Write {
  const sectors = write.bytes.length / SECTOR_BYTES;
  return { ...write, bytes: write.bytes.subarray(0, Math.floor(dice() * sectors) * SECTOR_BYTES) };
}
