import type { TapeWallet } from '../ids.js';
import type { Side } from '../market.js';

/**
 * One fill of one wallet, as the venue's Data API, its exchange contracts or a tape export give it.
 * Ids are plain texts: an imported tape has its own.
 */
export interface Fill {
  readonly wallet: TapeWallet;
  /** Order-book token. */
  readonly token: string;
  /** Market (condition) of the token. */
  readonly condition: string;
  /** Event of the market; "" if the source does not give it. */
  readonly event: string;
  /** Which outcome of the market the token is: 0 or 1. */
  readonly outcomeIndex: number;
  readonly side: Side;
  /** Shares, in micro-shares. */
  readonly sizeMicros: number;
  /** USD per share, in micros. */
  readonly priceMicros: number;
  /** Seconds since the epoch. */
  readonly timeS: number;
  /** Transaction hash; "" if the source does not give it. */
  readonly tx: string;
  /** Position of the log in its block; null if the source does not give it. */
  readonly logIndex: number | null;
  /**
   * Which one it is of the fills of a reading that are equal in all of the above, where the source
   * gives no position: 1 is the second; absent: the first.
   */
  readonly occurrence?: number;
}
