/** An order as its owner wrote it, whichever client it was written for. */
export interface GuardedOrder {
  /** The method of the client that was called. */
  readonly method: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  /** USD of a BUY; null if it names shares alone. */
  readonly usd: number | null;
  /** Shares of a SELL and of a limit order; null of a market BUY. */
  readonly shares: number | null;
  /** Worst price that its owner takes; null: whatever the book has. */
  readonly price: number | null;
  /** FOK and FAK take what is there; GTC and GTD may rest. */
  readonly orderType: string;
  /** Signed by its owner already: sent as it is or not at all. */
  readonly isSigned: boolean;
}

/** An order in the amounts that are to be signed: 1e-6 USD and shares. */
export interface Amounts {
  readonly maker: bigint;
  readonly taker: bigint;
}

/** What the client is to sign, and how its own function is asked for it. */
export interface PlannedAmounts extends Amounts {
  /** USD of a BUY, shares of a SELL. */
  readonly amount: number;
  readonly price: number;
  /** null: as the client knows it. */
  readonly tickSize: string | null;
}

/** Whether an order takes what is there: one that may rest is held to the cap and to a freeze alone. */
export function isTaking({ orderType }: GuardedOrder): boolean {
  return orderType === 'FOK' || orderType === 'FAK';
}
