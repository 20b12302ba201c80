import type { Side } from '#domain/market';
import { hash32 } from './deterministic-ids.js';
import type { LiveMarket } from './live-market.js';
import type { OutcomeIndex } from './market-spec.js';
import type { VenueWallet } from './wallets.js';

/** The Data API answers no further back than this many rows, here as on the venue. */
export const TAPE_ROWS_MAX = 10_000;

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

/** The trades of the venue, newest last, bounded. */
export class Tape {
  private rows: TapeRow[] = [];
  private transactions = 0;

  add(rows: readonly TapeRow[]): void {
    this.rows.push(...rows);
    if (this.rows.length > TAPE_ROWS_MAX * 1.1) this.rows = this.rows.slice(-TAPE_ROWS_MAX);
  }

  newestFirst(): TapeRow[] {
    return this.rows.toReversed();
  }

  /** Returns a new transaction hash. */
  nextTransactionHash(): string {
    this.transactions++;
    return hash32(`transaction:${this.transactions}`);
  }
}
