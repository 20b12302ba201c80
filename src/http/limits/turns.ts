import { BEGUN_PER_TURN_MAX } from './limits.js';

/**
 * Begins in groups what came at once, a group in each turn of the event loop, in the order in which it came. So the debits
 * of one group are on their way to the disk while the next group is worked on, and answered while that one's are: all in
 * one group would wait for one commit together, with nothing left to do. Holds as many as its caller lets begin.
 */
export class Turns<Item> {
  readonly #run: (item: Item) => void;
  #items: Item[] = [];
  /** Those before have begun. */
  #first = 0;

  constructor(run: (item: Item) => void) {
    this.#run = run;
  }

  /** Runs the item at the end of this turn, or of one of the next. */
  begin(item: Item): void {
    if (this.#items.push(item) === 1) setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const items = this.#items;
    const end = Math.min(items.length, this.#first + BEGUN_PER_TURN_MAX);
    const group = items.slice(this.#first, end);
    if (end < items.length) {
      this.#first = end;
      setImmediate(this.#turn);
    } else {
      this.#first = 0;
      this.#items = [];
    }
    for (const item of group) this.#run(item);
  };
}
