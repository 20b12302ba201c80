import type { Fill } from '#domain/rating/fill';

/** Where a token belongs. */
export interface TokenOutcome {
  readonly condition: string;
  /** Event of the market; "" if it is not given. */
  readonly event: string;
  readonly outcomeIndex: number;
}

/**
 * Which market a token is of: the chain's events name tokens alone. Tokens that nobody knows are
 * absent. Rejects with an OutsideError.
 */
export interface TokenOutcomes {
  findOutcomes(tokens: readonly string[]): Promise<ReadonlyMap<string, TokenOutcome>>;
}

/** A block, and its time in seconds. */
export interface BlockTime {
  readonly block: number;
  readonly timeS: number;
}

/** The fills of some blocks. */
export interface ChainFills {
  readonly fills: readonly Fill[];
  /** Events that are no fill of a wallet, of a combo, or of a token that no market is known for. */
  readonly skipped: number;
  /**
   * Blocks with fills of tokens that no market was found for, oldest first: not all of their fills
   * are here.
   */
  readonly unplaced: readonly BlockTime[];
}

/**
 * The venue's trades as its exchange contracts logged them. Every method rejects with an
 * OutsideError.
 */
export interface ChainTrades {
  /** The newest block that is old enough to stay. */
  latestBlock(): Promise<number>;
  /** The first block at or after a moment, at most `latestBlock`. */
  firstBlockFrom(timeS: number): Promise<number>;
  /** The time of a block, in seconds. */
  blockTimeS(block: number): Promise<number>;
  /** Fills of `fromBlock` to `toBlock`, both inclusive. */
  fetchFills(fromBlock: number, toBlock: number): Promise<ChainFills>;
}
