import type { Side } from '#domain/market';
import { hash32 } from './deterministic-ids.js';
import type { LiveMarket } from './live-market.js';
import type { OutcomeIndex } from './market-spec.js';
import type { VenueWallet } from './wallets.js';

/** So many rows of live trades are kept; those of the planned past are all kept. */
const LIVE_ROWS_MAX = 40_000;

/** One side of one fill, as the Data API lists it. */
export interface TapeRow {
  readonly wallet: VenueWallet;
  readonly market: LiveMarket;
  readonly outcome: OutcomeIndex;
  readonly side: Side;
  readonly shares: number;
  /** Price of the token traded, in USD; a taker's is the average over the levels it ate. */
  readonly price: number;
  readonly timestampS: number;
  readonly transactionHash: string;
  readonly taker: boolean;
}

/**
 * A row with its place among rows of the same second: with the timestamp it says where a page of
 * the feed ends.
 */
export interface StampedRow extends TapeRow {
  readonly sequence: number;
}

/** The trades of the venue: what the past planned, and what happens live. */
export class Tape {
  readonly #openedAtMs: number;
  #past: StampedRow[] = [];
  #live: StampedRow[] = [];
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
    this.#live = sortedByTime(this.#live, this.#stamped(rows));
    if (this.#live.length > LIVE_ROWS_MAX * 1.1) this.#live = this.#live.slice(-LIVE_ROWS_MAX);
    for (const listener of this.#listeners) listener(rows);
  }

  /**
   * Adds rows of the planned past. `due`: they have just happened, and those who follow are
   * notified.
   */
  addPast(rows: readonly TapeRow[], due: boolean): void {
    this.#past = sortedByTime(this.#past, this.#stamped(rows));
    if (due) for (const listener of this.#listeners) listener(rows);
  }

  /** Calls `listener` with every trade from now on. Returns the way to end it. */
  follow(listener: (rows: readonly TapeRow[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes through all rows, newest first. */
  *newestFirst(): Generator<StampedRow> {
    let [past, live] = [this.#past.length - 1, this.#live.length - 1];
    while (past >= 0 || live >= 0) {
      const [older, newer] = [this.#past[past], this.#live[live]];
      if (older === undefined || (newer !== undefined && isLater(newer, older))) {
        live--;
        yield newer as StampedRow;
      } else {
        past--;
        yield older;
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

/** Whether row `a` comes before row `b` in the feed, which shows the newest first. */
export function isLater(a: Place, b: Place): boolean {
  return a.timestampS === b.timestampS ? a.sequence > b.sequence : a.timestampS > b.timestampS;
}

/** Where a row stands in the feed. */
export type Place = Pick<StampedRow, 'timestampS' | 'sequence'>;

function sortedByTime(rows: StampedRow[], more: readonly StampedRow[]): StampedRow[] {
  const [last, next] = [rows.at(-1), more[0]];
  rows.push(...more);
  if (last === undefined || next === undefined || isLater(next, last)) return rows;
  return rows.sort((a, b) => (isLater(a, b) ? 1 : -1));
}
