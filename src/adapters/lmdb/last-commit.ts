/** A write transaction of ours, for as long as it takes. */
export interface Begun {
  /** LMDB's number of it. */
  readonly transaction: number;
  /**
   * The run of transactions it belongs to. Within a run each followed straight on the one before, and all were ours and came
   * about: what one of them read or wrote is what the database holds for the next.
   */
  readonly run: number;
  /** Whether it is not the first of its run. */
  readonly goesOn: boolean;
}

/**
 * Knows since when nobody else has written: LMDB counts its transactions, of all processes, so one that follows straight on
 * our last one found nobody's changes but ours.
 */
export class LastCommit {
  #run = 0;
  #newest: Begun | null = null;
  #confirmed: number | null = null;

  /** A write transaction begins, which has the write lock and this number. It begins a new run while the last one may yet fail. */
  begin(transaction: number): Begun {
    const goesOn = this.#confirmed !== null && transaction === this.#confirmed + 1;
    this.#confirmed = null;
    if (!goesOn) this.#run++;
    this.#newest = { transaction, run: this.#run, goesOn };
    return this.#newest;
  }

  /**
   * This one is committed, and has added a row that there was not: LMDB gives the number of a transaction that changed nothing
   * to the next one. Means nothing where another has begun since, which may have the same number.
   */
  committed(begun: Begun): void {
    if (begun === this.#newest) this.#confirmed = begun.transaction;
  }
}
