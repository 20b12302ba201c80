import { BEGUN_PER_TURN_MAX } from './limits.js';

/**
 * Begins in groups what came at once, a group in each turn of the event loop, in the order in which it came. So the debits
 * of one group are on their way to the disk while the next group is worked on, and answered while that one's are: all in
 * one group would wait for one commit together, with nothing left to do. Holds as many as its caller lets begin.
 */
export class Turns<Item> {
  readonly #run: (item: Item) => void;
  readonly #items: Item[] = [];

  constructor(run: (item: Item) => void) {
    this.#run = run;
  }

  /** Runs the item at the end of this turn, or of one of the next. */
  begin(item: Item): void {
    if (this.#items.push(item) === 1) setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const group = this.#items.splice(0, BEGUN_PER_TURN_MAX);
    if (this.#items.length > 0) setImmediate(this.#turn);
    for (const item of group) this.#run(item);
  };
}
