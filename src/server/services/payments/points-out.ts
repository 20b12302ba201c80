import type { Limit } from '../with-timeout.js';

/** Of one name that may wait for those before them; beyond, they are not let wait. */
export const WAITING_MAX = 1_000;

interface Out {
  count: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * What is taken by name before it is known what comes of it: counted afterwards only, it would hold
 * back nobody who sends all at once.
 */
export class PointsOut {
  readonly #byName = new Map<string, Out>();

  /** How many are out. */
  of(name: string): number {
    return this.#byName.get(name)?.count ?? 0;
  }

  /** Takes one, and returns how to give it back; to do so again does nothing. */
  take(name: string): () => void {
    const mine = this.#byName.get(name) ?? { count: 0, waiting: new Set() };
    this.#byName.set(name, mine);
    mine.count++;
    let isOut = true;
    return () => {
      if (isOut) this.#takeBack(name, mine);
      isOut = false;
    };
  }

  /**
   * Resolves when it is one's turn to try again, at the latest when the time is over; false: too many
   * wait already.
   */
  async turn(name: string, { timers, ms }: Limit): Promise<boolean> {
    const waiting = this.#byName.get(name)?.waiting;
    if (waiting === undefined) return true;
    if (waiting.size >= WAITING_MAX) return false;
    await new Promise<void>((resolve) => {
      const go = () => {
        cancel();
        waiting.delete(go);
        resolve();
      };
      const cancel = timers.after(ms, go);
      waiting.add(go);
    });
    return true;
  }

  #takeBack(name: string, mine: Out): void {
    mine.count--;
    if (mine.count === 0) this.#byName.delete(name);
    // There is room for one; where none are out, nobody can wait for more.
    for (const go of [...mine.waiting].slice(0, mine.count === 0 ? undefined : 1)) go();
  }
}
