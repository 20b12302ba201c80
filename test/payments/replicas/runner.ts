import { type Cell, nameOf } from './cells.js';
import { breachesOf } from './judge.js';
import type { Pair } from './pair.js';
import { play, type Story } from './story.js';

/** A cell that was played. */
export interface Played {
  readonly cell: Cell;
  /** Null if it could not be played. */
  readonly story: Story | null;
  readonly breaches: readonly string[];
}

export interface PlayOptions {
  /** Whether promises of time are judged: not on a machine with other work. */
  readonly isTimed: boolean;
  readonly onPlayed?: (played: Played) => void;
  /** Ends it after the cells that are being played. */
  readonly signal?: AbortSignal;
}

/** Returns every promise that was broken, with its cell. */
export function listBroken(all: readonly Played[]): readonly string[] {
  return all.flatMap(({ cell, breaches }) => breaches.map((breach) => `${nameOf(cell)}: ${breach}`));
}

/** Cells of one pair that wait for their end, while others have their trouble. */
const ENDING_MAX = 8;
/** On a machine with other work a start can take longer than it may. */
const MENDS_MAX = 3;
/** What the test itself hears of a database that a busy machine lets wait. */
const IS_BUSY = /did not answer within|does not answer in time/;

/**
 * Ends the trouble that a cell left behind when it could not be played. Returns whether the pair
 * can go on.
 */
async function mend({ owner, other }: Pair): Promise<boolean> {
  for (let tries = 0; tries < MENDS_MAX; tries++) {
    const isWell = await Promise.all([owner.mend(), other.mend()]).then(
      () => true,
      () => false,
    );
    if (isWell) return true;
  }
  return false;
}

/** Plays cells on a pair, one trouble after the other, until `next` has no more. */
export async function playOn(
  pair: Pair,
  next: () => Cell | undefined,
  { isTimed, onPlayed, signal }: PlayOptions,
): Promise<readonly Played[]> {
  const all: Played[] = [];
  const ending = new Set<Promise<void>>();
  const note = (cell: Cell, story: Story | null, breaches: readonly string[]) => {
    const played = { cell, story, breaches };
    all.push(played);
    onPlayed?.(played);
  };
  const replayed = new Set<Cell>();
  const again: Cell[] = [];
  const take = async (): Promise<Cell | undefined> => {
    const cell = again.pop() ?? next();
    if (cell !== undefined) return cell;
    await Promise.all(ending);
    return again.pop();
  };
  for (let cell = await take(); cell !== undefined && signal?.aborted !== true; cell = await take()) {
    const now = cell;
    // What could not be played on a busy machine is played again, once.
    const notPlayed = (error: Error) => {
      if (!IS_BUSY.test(error.message) || replayed.has(now)) return note(now, null, [`not played: ${error.stack}`]);
      replayed.add(now);
      again.push(now);
    };
    const isMended = await play(pair, now).then(
      (finish) => {
        const end = finish().then((story) => note(now, story, breachesOf(story, isTimed)), notPlayed);
        const tracked = end.finally(() => ending.delete(tracked));
        ending.add(tracked);
        return true;
      },
      (error: Error) => {
        notPlayed(error);
        return mend(pair);
      },
    );
    if (!isMended) break;
    if (ending.size >= ENDING_MAX) await Promise.race(ending);
  }
  await Promise.all(ending);
  return all;
}
