import { breachesOf as ofTwoProcesses } from '../processes/judge.js';
import type { Story } from './story.js';

/** From the death of an owner to another one, and from a transfer to its row. */
export const BOUND_MS = 10_000;
/** A facilitator that hangs is waited for by the owner that is well. */
const HANG_MS = 13_000;

/**
 * Returns every promise that the story breaks, as a sentence. With `isTimed`, those of time too.
 */
export function breachesOf(story: Story, isTimed: boolean): readonly string[] {
  return [...ofTwoProcesses(story), ...rowFaults(story), ...(isTimed ? timeFaults(story) : [])];
}

function rowFaults({ row, transfers }: Story): string[] {
  if (transfers.length > 0) return row?.state === 'SETTLED' ? [] : [`paid, and its row is ${row?.state}`];
  return row === null || row.state === 'FAILED' ? [] : [`not paid, and its row is ${row.state}`];
}

function timeFaults({ cell, took: { bookedMs, takenOverMs } }: Story): string[] {
  const bookedMsMax = BOUND_MS + (cell.fault.name === 'hang' ? HANG_MS : 0);
  const faults = [];
  if (bookedMs !== null && bookedMs > bookedMsMax) faults.push(`booked ${bookedMs} ms after its transfer`);
  if (takenOverMs !== null && takenOverMs > BOUND_MS) faults.push(`taken over ${takenOverMs} ms after the kill`);
  return faults;
}
