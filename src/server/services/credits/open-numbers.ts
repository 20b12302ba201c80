/** So many ended places at the front of the list are kept, unless none is under way. */
const ENDED_HELD_MAX = 1_000;

/**
 * Numbers that are given out in their order and end in any order. A list with a place for each,
 * from the first one that may be under way on: to put each into a Set and take it out again makes a
 * new table every few hundred, and V8 keeps alive what an old one held (4 % of a debit).
 */
export class OpenNumbers {
  readonly #open: boolean[] = [];
  /** The number that the first place of the list is for. */
  #from = 0;
  /** Places at the front that have ended. */
  #ended = 0;

  /** Returns the next number, which is under way from now on. */
  begin(): number {
    return this.#from + this.#open.push(true) - 1;
  }

  /** The number is no longer under way; one that is not changes nothing. */
  end(number: number): void {
    if (!this.has(number)) return;
    const open = this.#open;
    open[number - this.#from] = false;
    while (this.#ended < open.length && !open[this.#ended]) this.#ended++;
    const cuts = this.#ended === open.length || (this.#ended > ENDED_HELD_MAX && 2 * this.#ended > open.length);
    if (!cuts) return;
    this.#from += this.#ended;
    if (this.#ended === open.length) open.length = 0;
    else open.splice(0, this.#ended);
    this.#ended = 0;
  }

  has(number: number): boolean {
    // Before the first place an array is asked for a property of that name, which takes ten times
    // as long.
    return number >= this.#from && this.#open[number - this.#from] === true;
  }

  /** Places that are held, for numbers under way and others. */
  get slots(): number {
    return this.#open.length;
  }
}
