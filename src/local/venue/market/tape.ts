import { hash32 } from './deterministic-ids.js';
import { type FeedPart, isLater, type StampedRow, type TapeRow, TapeRows } from './tape-rows.js';

/** So many rows of live trades are kept; those of the planned past are all kept. */
const LIVE_ROWS_MAX = 40_000;

/** The trades of the venue: what the past planned, and what happens live. */
export class Tape {
  readonly #openedAtMs: number;
  readonly #past = new TapeRows();
  readonly #live = new TapeRows();
  #transactions = 0;
  #sequence = 0;
  readonly #listeners = new Set<(rows: readonly TapeRow[]) => void>();

  /**
   * `openedAtMs` goes into transaction hashes, so that a restarted venue does not give an old hash
   * to a new trade.
   */
  constructor(openedAtMs: number) {
    this.#openedAtMs = openedAtMs;
  }

  /** Adds live trades and notifies those who follow. */
  add(rows: readonly TapeRow[]): void {
    this.#live.add(this.#stamped(rows));
    if (this.#live.length > LIVE_ROWS_MAX * 1.1) this.#live.keepLast(LIVE_ROWS_MAX);
    for (const listener of this.#listeners) listener(rows);
  }

  /**
   * Adds rows of the planned past. `due`: they have just happened, and those who follow are
   * notified.
   */
  addPast(rows: readonly TapeRow[], due: boolean): void {
    this.#past.add(this.#stamped(rows));
    if (due) for (const listener of this.#listeners) listener(rows);
  }

  /** Calls `listener` with every trade from now on. Returns the way to end it. */
  follow(listener: (rows: readonly TapeRow[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes through the rows of a part of the feed, newest first. */
  *newestFirst(part: FeedPart = {}): Generator<StampedRow> {
    const [past, live] = [this.#past.newestFirst(part), this.#live.newestFirst(part)];
    let [older, newer] = [past.next().value, live.next().value];
    while (older !== undefined || newer !== undefined) {
      if (older === undefined || (newer !== undefined && isLater(newer, older))) {
        yield newer!;
        newer = live.next().value;
      } else {
        yield older;
        older = past.next().value;
      }
    }
  }

  /** Returns a new transaction hash. */
  nextTransactionHash(): string {
    this.#transactions++;
    return hash32(`transaction:${this.#openedAtMs}:${this.#transactions}`);
  }

  #stamped(rows: readonly TapeRow[]): StampedRow[] {
    return rows.map((row) => ({ ...row, sequence: ++this.#sequence }));
  }
}
