import type { WalletAddress } from '#domain/ids';
import type { Side } from '#domain/market';
import type { LiveMarket } from './live-market.js';
import type { OutcomeIndex } from './market-spec.js';
import type { VenueWallet } from './wallets.js';

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
  /** It is of a combo, of which the market is a leg: shares are of all legs together. */
  readonly isCombo?: true;
}

/**
 * A row with its place among rows of the same second: with the timestamp it says where a page of
 * the feed ends.
 */
export interface StampedRow extends TapeRow {
  readonly sequence: number;
}

/** Where a row stands in the feed. */
export type Position = Pick<StampedRow, 'timestampS' | 'sequence'>;

/**
 * Which rows of a feed are wanted, where they can be found without looking at all. Times in
 * seconds, both ends included.
 */
export interface FeedPart {
  readonly user?: WalletAddress | null;
  /** What comes after this place in the feed, which shows the newest first. */
  readonly after?: Position | null;
  readonly startS?: number;
  readonly endS?: number;
}

/** Rows, oldest first: of everybody, and of each wallet. */
export class TapeRows {
  #all: StampedRow[] = [];
  readonly #ofWallets = new Map<WalletAddress, StampedRow[]>();

  get length(): number {
    return this.#all.length;
  }

  add(rows: readonly StampedRow[]): void {
    this.#all = sortedByTime(this.#all, rows);
    for (const [wallet, own] of byWallet(rows)) {
      this.#ofWallets.set(wallet, sortedByTime(this.#ofWallets.get(wallet) ?? [], own));
    }
  }

  /** Forgets all but the last so many. */
  keepLast(count: number): void {
    const remaining = this.#all.slice(-count);
    this.#all = [];
    this.#ofWallets.clear();
    this.add(remaining);
  }

  /** Goes through a part of the rows, newest first. */
  *newestFirst({
    user = null,
    after = null,
    startS = 0,
    endS = Number.MAX_SAFE_INTEGER,
  }: FeedPart): Generator<StampedRow, undefined> {
    const rows = user === null ? this.#all : (this.#ofWallets.get(user) ?? []);
    const isWithin = (row: StampedRow) => row.timestampS <= endS && (after === null || isLater(after, row));
    for (let at = countWhile(rows, isWithin) - 1; at >= 0; at--) {
      const row = rows[at]!;
      if (row.timestampS < startS) return;
      yield row;
    }
  }
}

/** Whether row `a` comes before row `b` in the feed, which shows the newest first. */
export function isLater(a: Position, b: Position): boolean {
  return a.timestampS === b.timestampS ? a.sequence > b.sequence : a.timestampS > b.timestampS;
}

function byWallet(rows: readonly StampedRow[]): Map<WalletAddress, StampedRow[]> {
  const found = new Map<WalletAddress, StampedRow[]>();
  for (const row of rows) {
    const own = found.get(row.wallet.address);
    if (own === undefined) found.set(row.wallet.address, [row]);
    else own.push(row);
  }
  return found;
}

/** How many rows stand before the first that does not fit; none after that one fits either. */
function countWhile(rows: readonly StampedRow[], fits: (row: StampedRow) => boolean): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(rows[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function sortedByTime(rows: StampedRow[], more: readonly StampedRow[]): StampedRow[] {
  const [last, next] = [rows.at(-1), more[0]];
  for (const row of more) rows.push(row);
  if (last === undefined || next === undefined || isLater(next, last)) return rows;
  return rows.sort((a, b) => (isLater(a, b) ? 1 : -1));
}
